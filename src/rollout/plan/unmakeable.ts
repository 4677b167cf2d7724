import type { PluginProblem } from '../../plugins/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { pluginFailedEvent } from '../status/events.ts';

/**
 * Whether no Pod can be made from a revision, because its plugins cannot be used. Nothing that runs is taken down to be
 * made again from one: the user corrects the spec, and loses no capacity until then.
 */
export const isUnmakeable = ({ plugins }: Context, revision: string): boolean => plugins(revision).state === 'broken';

/** Says which plugins cannot be used, of the target and of whatever a unit would be made from. */
export const reportPlugins = (context: Context, units: readonly UnitView[]): void => {
  const revisions = new Set([context.catalog.target, ...units.map(({ recipe }) => recipe)]);
  const problems = new Map<string, PluginProblem>();
  for (const revision of revisions) {
    const chain = context.plugins(revision);
    if (chain.state === 'broken') problems.set(chain.problem.message, chain.problem);
  }
  for (const problem of problems.values()) reportPlugin(context, '', problem);
};

export const reportPlugin = (context: Context, unit: string, problem: PluginProblem): void => {
  context.draft.wait({ unit, reason: 'PluginFailed', message: `no Pod is made: ${problem.message}` });
  context.draft.event(pluginFailedEvent(context, problem));
};
