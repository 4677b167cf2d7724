import { buildPluginChain, builtinPlugins, type PluginChain, type PluginRegistry } from '../../plugins/index.ts';
import type { Catalog } from './catalog.ts';

/** The plugins of a revision, ready to render Pods, or why they cannot. */
export type PluginChains = (revision: string) => PluginChain;

/** Each revision's plugins, read once per decision. */
export const pluginChains = (catalog: Catalog, registry: PluginRegistry = builtinPlugins): PluginChains => {
  const chains = new Map<string, PluginChain>();
  return (revision) => {
    const known = chains.get(revision);
    if (known !== undefined) return known;
    const chain = buildPluginChain(catalog.plugins(revision), registry);
    chains.set(revision, chain);
    return chain;
  };
};
