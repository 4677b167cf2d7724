import { type ModelServing, type PodIdentity, podsPerInstance, type Role, renderPod } from '../../api/index.ts';
import type { Pod } from '../../objects/index.ts';
import type { PluginChain } from '../../plugins/index.ts';

/** All that a Pod is made from, but for its place and the name of its revision. */
export interface PodRecipe {
  readonly roles: ReadonlyMap<string, Role>;
  readonly schedulerName: string;
  readonly plugins: PluginChain;
}

/**
 * The Pod of that place as the recipe makes it, for a comparison with the live one: its revision labels are empty.
 * Undefined where the recipe makes no such Pod.
 */
export const renderRecipe = (modelServing: ModelServing, at: PodIdentity, recipe: PodRecipe): Pod | undefined => {
  const { group, instance, index } = at;
  const role = recipe.roles.get(at.role);
  if (role === undefined || recipe.plugins.state === 'broken' || index >= podsPerInstance(role)) return undefined;
  if (index > 0 && role.workerTemplate === undefined) return undefined;
  const labels = { revision: '', roleTemplateHash: '' };
  const { schedulerName } = recipe;
  const pod = renderPod({ modelServing, role, group, instance, index, schedulerName, inPodGroup: false, ...labels });
  const made = recipe.plugins.render(pod, { modelServing, group, role: role.name, instance, index });
  return made.state === 'made' ? made.pod : undefined;
};
