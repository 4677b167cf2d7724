import {
  controllerRevisionName,
  effectiveSchedulerName,
  type ModelServing,
  podGroupNameAnnotation,
  type Role,
} from '../../api/index.ts';
import { type ControllerRevision, nameOf, type Pod } from '../../objects/index.ts';
import { buildPluginChain, type PluginRegistry } from '../../plugins/index.ts';
import {
  awaitsTakeover,
  compareRevisions,
  type RevisionData,
  readRevision,
  restoreRoles,
  revisionDataOf,
  revisionOf,
  type Unsaid,
  unsaidBy,
} from '../../revision/index.ts';
import { compareLive, hasOtherImage } from './compare-live.ts';
import type { Fleet } from './fleet.ts';
import type { PodView } from './pod-view.ts';
import { renderRecipe } from './render-recipe.ts';

/** What the Pods of a record in kthena's older layout tell about it that it does not say itself. */
export interface Testimony {
  /** Scheduler and plugins; undefined where the Pods disagree, or do not show them. */
  readonly proved: Unsaid | undefined;
  /** No Pod of it is in a PodGroup, so neither a gang policy nor a topology is in force. */
  readonly noGang: boolean;
}

interface TakeOverInput {
  readonly modelServing: ModelServing;
  readonly fleet: Fleet;
  readonly registry: PluginRegistry;
}

/**
 * By revision: what is to be written beside the records that another controller left and that nobody has taken over
 * yet. The older layout records neither scheduler nor plugins, but every Pod shows the one, and carries what the others
 * have added. A record that is equal to the spec in all it says never contradicts it, or taking over would roll.
 */
export const takeOver = (own: readonly ControllerRevision[], input: TakeOverInput): ReadonlyMap<string, Testimony> => {
  const testimonies = new Map<string, Testimony>();
  for (const record of own) {
    const revision = revisionOf(record);
    const reading = readRevision(record);
    if (revision === undefined || reading.state !== 'readable' || !awaitsTakeover(record)) continue;
    testimonies.set(revision, testimonyOf(reading.data, podsLabelled(revision, input.fleet), input));
  }
  return testimonies;
};

const podsLabelled = (revision: string, { instances }: Fleet): readonly PodView[] =>
  [...instances.values()].flatMap(({ pods }) => pods).filter((pod) => pod.revision === revision && !pod.terminating);

const testimonyOf = (data: RevisionData, pods: readonly PodView[], input: TakeOverInput): Testimony => {
  const { spec } = input.modelServing;
  const noGang =
    pods.length > 0 && pods.every(({ pod }) => pod.metadata.annotations?.[podGroupNameAnnotation] === undefined);
  const isPresent = compareRevisions(data, revisionDataOf(spec)) !== 'different';
  if (pods.length === 0) return { proved: isPresent ? unsaidBy(spec) : undefined, noGang };
  const [schedulerName, ...others] = new Set(pods.map(({ pod }) => pod.spec.schedulerName));
  if (schedulerName === undefined || others.length > 0) return { proved: undefined, noGang };
  if (isPresent && schedulerName !== effectiveSchedulerName(spec)) return { proved: undefined, noGang };
  const plugins = spec.plugins ?? [];
  const recipe = {
    roles: rolesByName(restoreRoles(data, spec.template.roles)),
    schedulerName,
    plugins: buildPluginChain(plugins, input.registry),
  };
  const carry = pods.every((view) => {
    const rendered = renderRecipe(input.modelServing, view, recipe);
    return rendered !== undefined && compareLive(view.pod, withImagesOf(view.pod, rendered)) !== 'different';
  });
  return { proved: carry ? { schedulerName, plugins } : undefined, noGang };
};

/** Images may have been edited by hand since; they say nothing about scheduler and plugins. */
const withImagesOf = (live: Pod, rendered: Pod): Pod => {
  const images = new Map(live.spec.containers.map(({ name, image }) => [name, image]));
  const containers = rendered.spec.containers.map((one) => ({ ...one, image: images.get(one.name) ?? one.image }));
  return { ...rendered, spec: { ...rendered.spec, containers } };
};

const rolesByName = (roles: readonly Role[]): ReadonlyMap<string, Role> =>
  new Map(roles.map((role) => [role.name, role]));

/**
 * The name that the present spec's revision has already although no record says so: kthena writes none in Role mode,
 * and none where the partition covers everything. Its status names the revision of the very generation it observed.
 *
 * A name that is taken is no name, and neither is one whose Pods run other images than the spec asks for: then the spec
 * was edited just before kthena stopped (it writes the generation of one moment beside the revision of an earlier one).
 */
export const unrecordedName = (all: readonly ControllerRevision[], input: TakeOverInput): string | undefined => {
  const { status, spec, metadata } = input.modelServing;
  const name = status?.updateRevision;
  if (name === undefined || name === '' || status?.observedGeneration !== metadata.generation) return undefined;
  if (all.some((record) => nameOf(record) === controllerRevisionName(nameOf(input.modelServing), name)))
    return undefined;
  const recipe = {
    roles: rolesByName(spec.template.roles),
    schedulerName: effectiveSchedulerName(spec),
    plugins: buildPluginChain([], input.registry),
  };
  const contradicts = podsLabelled(name, input.fleet).some((view) => {
    const rendered = isAsMade(view) ? renderRecipe(input.modelServing, view, recipe) : undefined;
    return rendered !== undefined && hasOtherImage(view.pod, rendered);
  });
  return contradicts ? undefined : name;
};

/** Nobody has edited the Pod since it was created. */
const isAsMade = ({ pod, marker }: PodView): boolean => marker.state === 'none' && (pod.metadata.generation ?? 0) <= 1;
