import type { ModelServing, PodIdentity } from '../api/index.ts';
import type { Pod } from '../objects/index.ts';

/** Which Pod is about to be created. */
export interface PluginRequest extends PodIdentity {
  readonly modelServing: ModelServing;
}

/** The Pod as it should be created instead. Pure: the same request gives the same Pod, and its argument stays as it is. */
export type PodChange = (pod: Pod, request: PluginRequest) => Pod;

/** What a plugin makes of the `config` of one entry of `spec.plugins`. */
export type Configured =
  | { readonly state: 'ready'; readonly change: PodChange }
  /** `problem` completes the sentence "the config …". */
  | { readonly state: 'refused'; readonly problem: string };

/** A named change of Pods that ModelServings can ask for. */
export interface Plugin {
  readonly name: string;
  /** `config` is what the user wrote: any JSON, or undefined. */
  configure(config: unknown): Configured;
}

/** Plugins by name. */
export type PluginRegistry = ReadonlyMap<string, Plugin>;

export const registryOf = (...plugins: readonly Plugin[]): PluginRegistry =>
  new Map(plugins.map((plugin) => [plugin.name, plugin]));
