import type { PluginProblem } from '../../plugins/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { pluginFailedEvent } from '../status/events.ts';

/**
 * Whether no Pod can be made from a revision, because its plugins cannot be used, or a Role has workers and no template
 * for them (which admission refuses). Nothing that runs is taken down to be made again from one: the user corrects the
 * spec, and loses no capacity until then.
 */
export const isUnmakeable = ({ plugins, catalog }: Pick<Context, 'plugins' | 'catalog'>, revision: string): boolean =>
  plugins(revision).state === 'broken' || roleWithoutTemplate(catalog, revision) !== undefined;

const roleWithoutTemplate = (catalog: Context['catalog'], revision: string): string | undefined => {
  for (const role of catalog.roles(revision)?.values() ?? []) {
    if (role.workerReplicas > 0 && !role.workerTemplate) return role.name;
  }
  return undefined;
};

/** Says what keeps Pods from being made, of the target and of whatever a unit would be made from. */
export const reportUnmakeable = (context: Context, units: readonly UnitView[]): void => {
  const revisions = new Set([context.catalog.target]);
  for (const { recipe } of units) revisions.add(recipe);
  const roles = new Set([...revisions].flatMap((revision) => roleWithoutTemplate(context.catalog, revision) ?? []));
  for (const role of roles) {
    const message = `no Pod is made: the Role ${role} of spec.template.roles has workers and no workerTemplate; add one, or set workerReplicas to 0`;
    context.draft.wait({ unit: '', reason: 'WorkerTemplateMissing', message });
  }
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
