import { demoPodTweaks } from './demo-pod-tweaks.ts';
import { lwsStandardLabels } from './lws-standard-labels.ts';
import { type PluginRegistry, registryOf } from './plugin.ts';

/** The plugins that kthena has too. A program that embeds the operator may pass another registry. */
export const builtinPlugins: PluginRegistry = registryOf(demoPodTweaks, lwsStandardLabels);
