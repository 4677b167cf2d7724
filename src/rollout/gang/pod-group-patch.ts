import { groupNameLabel, nameLabel, podGroupNameAnnotation, requestedQueueAnnotation } from '../../api/index.ts';
import {
  applyDefaults,
  diffMergePatch,
  isPlainObject,
  jsonEqual,
  quantitiesEqual,
  resourceVersionOf,
  type Schema,
} from '../../objects/index.ts';
import type { PodGroup, PodGroupSpec, Quantities, SubGroup } from './pod-group.ts';
import { amountsOf } from './pod-requests.ts';

/**
 * The JSON merge patch from a live PodGroup to the wanted one; undefined where it already means the same. Only what the
 * operator owns is looked at, defaults of the server count as written, amounts count by value. The queue is owned while
 * the user asks for one; what the server or an administrator put there otherwise is left alone.
 *
 * @param wanted  fitted to the same schema
 */
export const podGroupPatch = (live: PodGroup, wanted: PodGroup, schema: Schema): object | undefined => {
  const spec = { ...specPatch(live, wanted, schema), ...queuePatch(live, wanted) };
  const metadata = metadataPatch(live, wanted);
  if (Object.keys(spec).length === 0 && Object.keys(metadata).length === 0) return undefined;
  return {
    metadata: { resourceVersion: resourceVersionOf(live), ...metadata },
    ...(Object.keys(spec).length > 0 ? { spec } : {}),
  };
};

type OwnField = 'minMember' | 'minResources' | 'networkTopology' | 'subGroupPolicy';

const ownFields: readonly OwnField[] = ['minMember', 'minResources', 'networkTopology', 'subGroupPolicy'];

const specPatch = (live: PodGroup, wanted: PodGroup, schema: Schema): Readonly<Record<string, unknown>> => {
  const stored = applyDefaults(schema, wanted) as PodGroup;
  const changed = ownFields.filter((field) => !isSame(field, live.spec, stored.spec));
  return Object.fromEntries(
    changed.map((field) => [field, diffMergePatch(live.spec?.[field], wanted.spec?.[field]) ?? null]),
  );
};

const isSame = (field: OwnField, live: PodGroupSpec | undefined, stored: PodGroupSpec | undefined): boolean => {
  switch (field) {
    case 'minMember':
      return live?.minMember === stored?.minMember;
    case 'minResources':
      return sameAmounts(live?.minResources, stored?.minResources);
    case 'networkTopology':
      return jsonEqual(topologyMeaning(live?.networkTopology), topologyMeaning(stored?.networkTopology));
    case 'subGroupPolicy':
      return jsonEqual(subGroupsMeaning(live?.subGroupPolicy), subGroupsMeaning(stored?.subGroupPolicy));
  }
};

const sameAmounts = (a: Quantities | undefined, b: Quantities | undefined): boolean => {
  const [left, right] = [amountsOf(a), amountsOf(b)];
  const isUnreadable = left.size !== Object.keys(a ?? {}).length;
  if (isUnreadable || left.size !== right.size) return false;
  return [...left].every(([name, quantity]) => {
    const other = right.get(name);
    return other !== undefined && quantitiesEqual(quantity, other);
  });
};

/** What the operator writes of a topology; fields that others add are theirs. */
const topologyMeaning = (topology: PodGroupSpec['networkTopology']): unknown =>
  isPlainObject(topology)
    ? {
        mode: topology.mode,
        highestTierAllowed: topology.highestTierAllowed,
        highestTierName: topology.highestTierName || undefined,
      }
    : undefined;

/** The same of sub-groups, in whatever order. */
const subGroupsMeaning = (subGroups: readonly SubGroup[] | undefined): unknown =>
  [...(subGroups ?? [])]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, labelSelector, matchLabelKeys, subGroupSize, minSubGroups, networkTopology }) => ({
      name,
      matchLabels: labelSelector?.matchLabels,
      matchLabelKeys,
      subGroupSize,
      minSubGroups,
      networkTopology: topologyMeaning(networkTopology),
    }));

/** The annotation on the PodGroup remembers that a queue was asked for, so that the end of that wish can be seen. */
const queuePatch = (live: PodGroup, wanted: PodGroup): { readonly queue?: string | null } => {
  const queue = wanted.spec?.queue;
  const asked = live.metadata.annotations?.[requestedQueueAnnotation];
  if (queue !== undefined) return live.spec?.queue === queue ? {} : { queue };
  return asked !== undefined && live.spec?.queue === asked ? { queue: null } : {};
};

const metadataPatch = (live: PodGroup, wanted: PodGroup): Readonly<Record<string, unknown>> => {
  const labels = entriesPatch(live.metadata.labels, wanted.metadata.labels, [nameLabel, groupNameLabel]);
  const annotations = entriesPatch(live.metadata.annotations, wanted.metadata.annotations, [
    podGroupNameAnnotation,
    requestedQueueAnnotation,
  ]);
  return { ...(labels && { labels }), ...(annotations && { annotations }) };
};

const entriesPatch = (
  live: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Readonly<Record<string, string | null>> | undefined => {
  const changed = keys.filter((key) => live?.[key] !== wanted?.[key]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((key) => [key, wanted?.[key] ?? null]));
};
