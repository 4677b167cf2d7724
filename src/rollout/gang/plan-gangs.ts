import { groupName } from '../../api/index.ts';
import { controllerOf, isTerminating } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import { backOffLeftMs } from '../inplace/update-unit.ts';
import type { UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import { isAlive } from '../observe/pod-view.ts';
import { gangDegradedEvent } from '../status/events.ts';
import { desiredPodGroup } from './desired-pod-group.ts';
import { fitSchema } from './fit-schema.ts';
import { joinMembers } from './join-members.ts';
import { isGang, isMember, isPlaced, type ObservedPodGroups, sortPodGroups, usesVolcano } from './observe-gangs.ts';
import { type PodGroup, type PodGroupsView, podGroupCrd } from './pod-group.ts';
import { podGroupPatch } from './pod-group-patch.ts';
import { roleDemands } from './role-demands.ts';

/** What the PodGroup of a ServingGroup means for its Pods that are made by this decision. */
export type GangState =
  /** They are scheduled one by one and name no PodGroup. */
  | 'none'
  /** They name their PodGroup, which exists or is created before them. */
  | 'ready'
  /** They are not made yet. */
  | 'waiting';

export interface GangInput {
  readonly units: readonly UnitView[];
  /** Ordinals of the final set. */
  readonly groups: readonly number[];
  /** Keys of instances that are being taken down. */
  readonly blocked: ReadonlySet<string>;
}

/**
 * The PodGroup of every ServingGroup: made before the Pods, kept as they need it, removed after them. Where the cluster
 * does not know the kind, nothing is a gang, and Pods that wait for it say so.
 */
export const planGangs = (context: Context, input: GangInput): ReadonlyMap<number, GangState> => {
  const { podGroups } = context;
  const grouped = new Map<number, UnitView[]>(input.groups.map((group) => [group, []]));
  for (const unit of input.units) grouped.get(unit.group)?.push(unit);
  switch (podGroups.state) {
    case 'not-installed':
      reportMissingVolcano(context, input.units);
      return new Map();
    case 'unknown':
      return new Map([...grouped].map(([group, units]) => [group, planUnknown(context, units)]));
    case 'known': {
      const observed = sortPodGroups(context, podGroups.objects);
      removeLeftovers(context, observed, input.groups);
      return new Map(
        [...grouped].map(([group, units]) => [
          group,
          planGang(context, { group, units, observed, podGroups, blocked: input.blocked }),
        ]),
      );
    }
  }
};

const planUnknown = (context: Context, units: readonly UnitView[]): GangState => {
  if (!isGang(context, units, { hasPodGroup: false })) return 'none';
  if (units.some((unit) => unit.required.some(({ view }) => view === undefined))) {
    const message = `its Pods are made when the PodGroups can be read (${podGroupCrd})`;
    context.draft.wait({ unit: `group ${units[0]?.group}`, reason: 'PodGroupsUnknown', message });
  }
  return 'waiting';
};

/** PodGroups of ServingGroups that are no more, once the last Pod is gone. */
const removeLeftovers = (context: Context, { own }: ObservedPodGroups, groups: readonly number[]): void => {
  const populated = new Set(
    [...context.fleet.instances.values()].filter(({ pods }) => pods.length > 0).map(({ group }) => group),
  );
  for (const [group, podGroup] of own) {
    if (!groups.includes(group) && !populated.has(group)) {
      context.draft.deletePodGroup(podGroup, `group ${group}: is gone`);
    }
  }
};

interface Gang {
  readonly group: number;
  readonly units: readonly UnitView[];
  readonly observed: ObservedPodGroups;
  readonly podGroups: Extract<PodGroupsView, { readonly state: 'known' }>;
  readonly blocked: ReadonlySet<string>;
}

const planGang = (context: Context, gang: Gang): GangState => {
  const { group, units, observed } = gang;
  const live = observed.own.get(group);
  if (!isGang(context, units, { hasPodGroup: live !== undefined })) {
    const hasMembers = units.some((unit) => unit.pods.some((pod) => isMember(context, pod)));
    if (live !== undefined && !hasMembers) context.draft.deletePodGroup(live, `group ${group}: is no gang any more`);
    return 'none';
  }
  const stranger = observed.strange.get(group);
  if (stranger !== undefined) return waitForName(context, group, stranger);
  if (live === undefined) return createPodGroup(context, gang);
  if (isTerminating(live)) return waitForName(context, group, live);
  const wanted = wantedPodGroup(context, gang);
  const body = wanted === undefined ? undefined : podGroupPatch(live, wanted, gang.podGroups.schema);
  if (body !== undefined) context.draft.patchPodGroup(live, body, `group ${group}: what its PodGroup asks for changed`);
  joinMembers(context, units);
  return 'ready';
};

/** Undefined where nobody knows the revision of the group any more: then its PodGroup stays as it is. */
const wantedPodGroup = (context: Context, { group, units, podGroups }: Gang): PodGroup | undefined => {
  const { catalog, modelServing } = context;
  if (units.some((unit) => catalog.roles(unit.recipe) === undefined)) return undefined;
  const revision = units[0]?.roleInstance === undefined ? units[0]?.recipe : catalog.target;
  const demands = roleDemands({
    units: units.filter((unit) => usesVolcano(context, unit)),
    roles: catalog.roles(revision ?? catalog.target)?.values() ?? [],
    minRoleReplicas: modelServing.spec.template.gangPolicy?.minRoleReplicas,
  });
  const { podGroup, losses } = fitSchema(
    desiredPodGroup({ modelServing, group, demands }),
    podGroups.schema,
    modelServing,
  );
  for (const loss of losses) context.draft.event(gangDegradedEvent(context, loss));
  return podGroup;
};

const createPodGroup = (context: Context, gang: Gang): GangState => {
  const { draft, memory, time } = context;
  const { group, units, blocked } = gang;
  const instances = units.flatMap((unit) => unit.instances);
  // Nothing is made for a group that is on its way out.
  if (instances.every((instance) => blocked.has(instanceKey(instance)))) return 'waiting';
  const wanted = wantedPodGroup(context, gang);
  if (wanted === undefined) return 'waiting';
  const refusal = memory.refusals.get(`create/podgroups/${groupName(context.msName, group)}`);
  const backOffMs = refusal === undefined ? 0 : backOffLeftMs(refusal, time.monotonic);
  if (refusal !== undefined) {
    const message = `the API server refuses to create its PodGroup: ${refusal.message}; tried again with back-off, and its Pods are made after it`;
    draft.wait({ unit: `group ${group}`, reason: 'PodGroupRefused', message });
  }
  if (backOffMs > 0) {
    draft.wakeIn(backOffMs);
    return 'waiting';
  }
  draft.create('podgroups', wanted, `group ${group}: PodGroup missing`);
  return 'ready';
};

const waitForName = (context: Context, group: number, podGroup: PodGroup): GangState => {
  const name = groupName(context.msName, group);
  const owner = controllerOf(podGroup);
  const holder =
    owner === undefined ? 'belongs to nobody' : `belongs to ${owner.kind} ${owner.name} (UID ${owner.uid})`;
  const message = isTerminating(podGroup)
    ? `waits for PodGroup ${name} to end before its Pods are made`
    : `PodGroup ${name} exists and ${holder}; its Pods are made when that one is gone`;
  context.draft.wait({ unit: `group ${group}`, reason: 'NameTaken', message });
  return 'waiting';
};

/** Nothing runs the Pods, or it runs them one by one. Only while some wait: who runs is not bothered. */
const reportMissingVolcano = (context: Context, units: readonly UnitView[]): void => {
  const pending = units
    .filter((unit) => usesVolcano(context, unit))
    .flatMap((unit) => unit.pods)
    .filter((pod) => isAlive(pod) && !isPlaced(pod));
  if (pending.length === 0) return;
  const message = `schedulerName is volcano, and the CRD ${podGroupCrd} is not installed: nothing is scheduled as a gang, and ${pending.length} Pods wait until a scheduler of that name runs; install Volcano, or set spec.schedulerName to a scheduler that runs`;
  context.draft.wait({ unit: '', reason: 'VolcanoMissing', message });
};
