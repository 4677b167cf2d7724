import { effectiveSchedulerName, type ModelServing, roleTemplateHashLabel } from '../../api/index.ts';
import type { Catalog } from './catalog.ts';
import { compareLive, type LiveRelation } from './compare-live.ts';
import type { Fleet, InstanceView } from './fleet.ts';
import type { PluginChains } from './plugin-chains.ts';
import type { PodView } from './pod-view.ts';
import { renderRecipe } from './render-recipe.ts';

export interface AdoptInput {
  readonly modelServing: ModelServing;
  readonly catalog: Catalog;
  readonly plugins: PluginChains;
}

/**
 * Finds out what Pods were made from whose label names a revision that nobody has on record, as kthena leaves them
 * after updates by Role, or that have no label. In order of weight: what we wrote on the Pod itself; another Pod of its
 * Role with the same template hash and a known revision; the Pod itself, compared with what the revisions on record
 * make. A Pod that none of these explains keeps its unknown revision, and is outdated.
 */
export const adoptPods = (fleet: Fleet, input: AdoptInput): Fleet => {
  const { catalog } = input;
  const isUnknown = (pod: PodView): boolean =>
    !pod.terminating && (pod.revision === undefined || catalog.roles(pod.revision) === undefined);
  const all = [...fleet.instances.values()];
  let known: string | undefined;
  // Mostly thousands of Pods carry the same one or two labels.
  const isStrange = (pod: PodView): boolean => {
    if (pod.revision !== undefined && pod.revision === known) return false;
    if (isUnknown(pod)) return true;
    if (!pod.terminating) known = pod.revision;
    return false;
  };
  if (!all.some(({ pods }) => pods.some(isStrange))) return fleet;
  const peers = revisionsByHash(all, catalog);
  const adopt = (pod: PodView): PodView => {
    if (!isUnknown(pod)) return pod;
    const revision = writtenOn(pod, catalog) ?? peers.get(hashKey(pod)) ?? foundByLooking(pod, input);
    return revision === undefined ? pod : { ...pod, revision };
  };
  const instances = [...fleet.instances].map(
    ([key, instance]) => [key, { ...instance, pods: instance.pods.map(adopt) }] as const,
  );
  return { ...fleet, instances: new Map(instances) };
};

/** What an operator of ours noted when it made or patched the Pod; it outlives labels edited by hand. */
const writtenOn = ({ marker, createdRevision }: PodView, catalog: Catalog): string | undefined => {
  const patched = marker.state === 'valid' && marker.marker.phase === 'Patched' ? marker.marker.target : undefined;
  const revision = patched ?? createdRevision;
  return revision !== undefined && catalog.roles(revision) !== undefined ? revision : undefined;
};

/** By Role and template hash: a known revision of a Pod with both. The target goes before all others. */
const revisionsByHash = (
  instances: readonly InstanceView[],
  { roles, target }: Catalog,
): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const pod of instances.flatMap(({ pods }) => pods)) {
    const { revision } = pod;
    if (revision === undefined || hashOf(pod) === undefined || roles(revision) === undefined) continue;
    if (!found.has(hashKey(pod)) || revision === target) found.set(hashKey(pod), revision);
  }
  return found;
};

const hashOf = ({ pod }: PodView): string | undefined => pod.metadata.labels?.[roleTemplateHashLabel] || undefined;

const hashKey = (pod: PodView): string => `${pod.role}/${hashOf(pod) ?? ''}`;

/**
 * The revision on record that makes just this Pod, the target first. While the status says that the spec is rolled out,
 * it is enough that the Pod holds all that the target asks for: what it has beyond was injected, as nobody has edited
 * the spec since.
 */
const foundByLooking = (pod: PodView, input: AdoptInput): string | undefined => {
  const { catalog } = input;
  const isEnough = (revision: string, relation: LiveRelation): boolean =>
    relation === 'equal' || (relation === 'contained' && revision === catalog.target && isRolledOut(input));
  return catalog.known.find((revision) => isEnough(revision, relationTo(pod, revision, input)));
};

const relationTo = (pod: PodView, revision: string, input: AdoptInput): LiveRelation => {
  const { catalog, plugins, modelServing } = input;
  const roles = catalog.roles(revision);
  const schedulerName = catalog.schedulerName(revision) ?? effectiveSchedulerName(modelServing.spec);
  if (roles === undefined || pod.pod.spec.schedulerName !== schedulerName) return 'different';
  const rendered = renderRecipe(modelServing, pod, { roles, schedulerName, plugins: plugins(revision) });
  return rendered === undefined ? 'different' : compareLive(pod.pod, rendered);
};

const isRolledOut = ({ modelServing: { status, metadata }, catalog }: AdoptInput): boolean =>
  status?.observedGeneration === metadata.generation &&
  status?.updateRevision === catalog.target &&
  status.currentRevision === catalog.target;
