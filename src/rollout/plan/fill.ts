import { effectiveSchedulerName, renderPod, renderService } from '../../api/index.ts';
import { controllerOf, type KubeObject } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { GangState } from '../gang/plan-gangs.ts';
import { volcanoScheduler } from '../gang/pod-group.ts';
import { backOffLeftMs } from '../inplace/update-unit.ts';
import type { RequiredPod, UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import type { Standing } from '../observe/standing.ts';
import { creationRefusedEvent } from '../status/events.ts';
import { isUnmakeable, reportPlugin } from './unmakeable.ts';

/**
 * Creates what a unit misses: Pods from the unit's own revision, each instance's Service before them. A name that is
 * still taken, by a Pod on its way out or by a stranger, is waited for.
 */
export const fillUnit = (context: Context, unit: UnitView, { blocked, gang }: FillInput): void => {
  if (unit.standings.every(isWhole)) return;
  const { catalog, draft } = context;
  const missing = unit.required.filter((pod) => isOpen(context, pod) && !blocked.has(instanceKey(pod)));
  if (missing.length === 0) return;
  if (catalog.roles(unit.recipe) === undefined) {
    if (missing.every(({ view }) => view !== undefined)) return;
    const message = `its revision ${unit.recipe} is not in the history any more, so its missing Pods cannot be made; the next update recreates it, or, while the partition keeps it, the deletion of all its Pods`;
    draft.wait({ unit: unit.title, reason: 'RevisionUnknown', message });
    return;
  }
  if (isUnmakeable(context, unit.recipe)) return;
  for (const pod of missing) {
    if (pod.index === 0) fillService(context, unit, pod);
    if (pod.view?.terminating === true) waitForName(context, unit, pod);
    else if (pod.view === undefined && gang !== 'waiting') fillPod(context, unit, { pod, gang });
  }
};

const isWhole = ({ lacks, instance }: Standing): boolean => lacks === undefined && instance.service !== undefined;

/** Its name is not taken by a Pod that stays, or it is the entry of an instance whose Service is missing. */
const isOpen = ({ fleet }: Context, { view, index, instanceKey: key }: RequiredPod): boolean =>
  view === undefined || view.terminating || (index === 0 && fleet.instances.get(key)?.service === undefined);

export interface FillInput {
  /** Keys of instances that are being taken down. */
  readonly blocked: ReadonlySet<string>;
  /** What the PodGroup of its ServingGroup means for its Pods. */
  readonly gang: GangState;
}

interface MissingPod {
  readonly pod: RequiredPod;
  readonly gang: GangState;
}

const fillPod = (context: Context, unit: UnitView, { pod, gang }: MissingPod): void => {
  const { catalog, draft, fleet, memory, time, modelServing } = context;
  const stranger = fleet.strangers.get(pod.name);
  if (stranger !== undefined) {
    draft.wait({ unit: unit.title, reason: 'NameTaken', message: strangerMessage('Pod', pod.name, stranger) });
    return;
  }
  const refusal = memory.refusals.get(`create/pods/${pod.name}`);
  const backOffMs = refusal === undefined ? 0 : backOffLeftMs(refusal, time.monotonic);
  if (refusal !== undefined) {
    const message = `the API server refuses to create Pod ${pod.name}: ${refusal.message}; tried again with back-off`;
    draft.wait({ unit: unit.title, reason: 'PodCreationRefused', message });
    draft.event(creationRefusedEvent(context, { pod: pod.name, revision: unit.recipe, refusal }));
  }
  if (backOffMs > 0) {
    draft.wakeIn(backOffMs);
    return;
  }
  const schedulerName = catalog.schedulerName(unit.recipe) ?? effectiveSchedulerName(modelServing.spec);
  const rendered = renderPod({
    modelServing,
    role: pod.template,
    group: pod.group,
    instance: pod.instance,
    index: pod.index,
    revision: unit.recipe,
    roleTemplateHash: catalog.roleTemplateHash(unit.recipe, pod.role) ?? '',
    schedulerName,
    inPodGroup: gang === 'ready' && schedulerName === volcanoScheduler,
  });
  const chain = context.plugins(unit.recipe);
  if (chain.state === 'broken') return;
  const { group, role, instance, index } = pod;
  const made = chain.render(rendered, { modelServing, group, role, instance, index });
  if (made.state === 'made') draft.create('pods', made.pod, `${unit.title}: Pod missing`);
  else reportPlugin(context, unit.title, made.problem);
};

const fillService = (context: Context, unit: UnitView, pod: RequiredPod): void => {
  const { fleet, draft, modelServing } = context;
  const service = fleet.instances.get(instanceKey(pod))?.service;
  if (service !== undefined) return;
  const wanted = renderService({ modelServing, role: pod.template, group: pod.group, instance: pod.instance });
  if (wanted === undefined) return;
  const stranger = fleet.strangeServices.get(pod.name);
  if (stranger === undefined) draft.create('services', wanted, `${unit.title}: headless Service missing`);
  else draft.wait({ unit: unit.title, reason: 'NameTaken', message: strangerMessage('Service', pod.name, stranger) });
};

const strangerMessage = (kind: string, name: string, stranger: KubeObject): string => {
  const owner = controllerOf(stranger);
  return owner === undefined
    ? `${kind} ${name} exists and belongs to nobody; delete it, or remove what made it`
    : `${kind} ${name} belongs to ${owner.kind} ${owner.name} (UID ${owner.uid}); waits until it is gone`;
};

const waitForName = ({ draft }: Context, unit: UnitView, pod: RequiredPod): void => {
  const node = pod.view?.pod.spec.nodeName ?? '(none)';
  const message = `waits for Pod ${pod.name} on node ${node} to end before it is made again`;
  draft.wait({ unit: unit.title, reason: 'PodsTerminating', message });
};
