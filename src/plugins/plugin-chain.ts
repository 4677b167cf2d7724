import type { PluginSpec } from '../api/index.ts';
import type { Pod } from '../objects/index.ts';
import { keepIdentity } from './keep-identity.ts';
import type { PluginRegistry, PluginRequest, PodChange } from './plugin.ts';
import { isInScope } from './scope.ts';

/** Why Pods cannot be made, and what to do about it. */
export interface PluginProblem {
  readonly plugin: string;
  /** A whole sentence for events and conditions: which plugin, why, what to do. */
  readonly message: string;
}

/** The plugins of one revision, in the order of the spec. */
export type PluginChain =
  | {
      readonly state: 'ready';
      /** Either the Pod to create or, where a plugin throws, the problem. */
      readonly render: (pod: Pod, request: PluginRequest) => Rendered;
    }
  | { readonly state: 'broken'; readonly problem: PluginProblem };

export type Rendered =
  | { readonly state: 'made'; readonly pod: Pod }
  | { readonly state: 'failed'; readonly problem: PluginProblem };

interface Link {
  readonly spec: PluginSpec;
  readonly where: string;
  readonly change: PodChange;
}

/**
 * Reads `spec.plugins`. One entry that cannot be used breaks the whole chain: a Pod without what a plugin adds may look
 * healthy and be wrong.
 */
export const buildPluginChain = (specs: readonly PluginSpec[], registry: PluginRegistry): PluginChain => {
  const links: Link[] = [];
  for (const [index, spec] of specs.entries()) {
    const where = `plugin ${JSON.stringify(spec.name)} (spec.plugins[${index}])`;
    const link = linkOf(spec, where, registry);
    if ('message' in link) return { state: 'broken', problem: link };
    links.push(link);
  }
  return { state: 'ready', render: (pod, request) => renderWith(links, pod, request) };
};

const linkOf = (spec: PluginSpec, where: string, registry: PluginRegistry): Link | PluginProblem => {
  const plugin = registry.get(spec.name);
  const problem = (message: string): PluginProblem => ({ plugin: spec.name, message: `${where} ${message}` });
  if (plugin === undefined) {
    const known = [...registry.keys()].sort().join(', ');
    return problem(`is not known (known are: ${known}); correct its name, or remove it`);
  }
  if ((spec.type || 'BuiltIn') !== 'BuiltIn') {
    return problem(`has the type ${JSON.stringify(spec.type)}, and only BuiltIn exists; correct its type`);
  }
  const configured = plugin.configure(spec.config);
  return configured.state === 'refused'
    ? problem(`cannot use its config: ${configured.problem}; correct the config`)
    : { spec, where, change: configured.change };
};

const renderWith = (links: readonly Link[], pod: Pod, request: PluginRequest): Rendered => {
  let made = pod;
  for (const { spec, where, change } of links) {
    if (!isInScope(spec, request)) continue;
    try {
      made = keepIdentity(pod, change(made, request));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `${where} failed on Pod ${pod.metadata.name}: ${why}; correct its config, or remove it`;
      return { state: 'failed', problem: { plugin: spec.name, message } };
    }
  }
  return { state: 'made', pod: made };
};
