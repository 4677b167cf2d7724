export { builtinPlugins } from './builtin-plugins.ts';
export {
  type Configured,
  type Plugin,
  type PluginRegistry,
  type PluginRequest,
  type PodChange,
  registryOf,
} from './plugin.ts';
export { buildPluginChain, type PluginChain, type PluginProblem, type Rendered } from './plugin-chain.ts';
