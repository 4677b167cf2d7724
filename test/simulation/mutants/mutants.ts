import {
  decodeUnits,
  encodeUnits,
  inPlaceUpdateStateAnnotation,
  type ModelServing,
  pausedAnnotation,
  revisionLabel,
} from '../../../src/api/index.ts';
import { isTerminating, nameOf, type Pod, refOf, uidOf } from '../../../src/objects/index.ts';
import { type DecideInput, decide, type Effect, readMarker } from '../../../src/rollout/index.ts';
import {
  containersOf,
  isImagePatch,
  type Mutant,
  misdoes,
  misreads,
  misreports,
  missees,
  overdoes,
  type PodLike,
  withKnobs,
  withMember,
} from './mutant.ts';

const withSpec = (ms: ModelServing, fields: Partial<ModelServing['spec']>): ModelServing => ({
  ...ms,
  spec: { ...ms.spec, ...fields },
});

const withStrategy = (ms: ModelServing, fields: NonNullable<ModelServing['spec']['rolloutStrategy']>): ModelServing =>
  withSpec(ms, { rolloutStrategy: { ...ms.spec.rolloutStrategy, ...fields } });

const markedTarget = (pod: Pod, { modelServing }: DecideInput): number | undefined => {
  const reading = readMarker(pod, uidOf(modelServing));
  return reading.state === 'valid' && reading.marker.phase === 'Patched' ? reading.marker.attempt : undefined;
};

const deletes = (pod: Pod, why: string): Effect => ({
  kind: 'delete',
  key: `mutant/${uidOf(pod)}`,
  resource: 'pods',
  ref: refOf(pod),
  uid: uidOf(pod),
  why,
});

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((it) => it.type === 'Ready' && it.status === 'True') === true;

const annotationPath = ['metadata', 'annotations', inPlaceUpdateStateAnnotation];

const budgetAndOrder: readonly Mutant[] = [
  misreads('maxUnavailable is one too many', (ms) => withKnobs(ms, { maxUnavailable: 2 })),
  misreads('all units start at once', (ms) => withKnobs(ms, { maxUnavailable: '100%' })),
  misreads('the partition is forgotten', (ms) => withKnobs(ms, { partition: 0 })),
  misreads('a pause is not read', (ms) => ({
    ...ms,
    metadata: { ...ms.metadata, annotations: { ...ms.metadata.annotations, [pausedAnnotation]: 'false' } },
  })),
  misreads('a failed unit does not halt the others', (ms) => ({ ...ms, status: { ...ms.status, failures: [] } })),
  missees('a slot is free as soon as the marker is there', (input) => ({
    ...input,
    modelServing: {
      ...input.modelServing,
      status: { ...input.modelServing.status, units: closed(input) },
    },
  })),
];

/** The records with every marked Pod's attempt counted as completed. */
function closed(input: DecideInput): ReturnType<typeof encodeUnits> {
  const records = decodeUnits(input.modelServing.status?.units).map((record) => {
    const prefix = `${nameOf(input.modelServing)}-${record.group}-${record.role}-${record.instance}-`;
    const attempts = input.children.pods
      .filter((pod) => nameOf(pod).startsWith(prefix))
      .map((pod) => markedTarget(pod, input) ?? 0);
    return { ...record, completed: Math.max(record.completed, ...attempts) };
  });
  return encodeUnits(records);
}

const completion: readonly Mutant[] = [
  misreports('an update counts as complete when it was sent', (status, input) => ({
    ...status,
    units: closed({ ...input, modelServing: { ...input.modelServing, status } }),
  })),
  missees('a container need not stand still before it counts', (input) => ({
    ...input,
    time: { ...input.time, monotonic: input.time.monotonic + 3_600_000 },
  })),
  missees('the deadline counts three times as fast', (input) => ({
    ...input,
    modelServing: withStrategy(input.modelServing, { progressDeadlineSeconds: 20 }),
  })),
  misreports('an update is never closed', (status, { modelServing }) => ({
    ...status,
    units: encodeUnits(
      decodeUnits(status.units).map((record) => ({ ...record, completed: completedIn(modelServing, record) })),
    ),
  })),
];

function completedIn(
  ms: ModelServing,
  id: { readonly group: number; readonly role: string; readonly instance: number },
): number {
  const found = decodeUnits(ms.status?.units).find(
    (it) => it.group === id.group && it.role === id.role && it.instance === id.instance,
  );
  return found?.completed ?? 0;
}

const writes: readonly Mutant[] = [
  misdoes('a delete names no UID', (effect) => (effect.kind === 'delete' ? { ...effect, uid: '' } : effect)),
  misdoes('a patch carries no resourceVersion', (effect) =>
    effect.kind === 'patch'
      ? { ...effect, body: withMember(effect.body, ['metadata', 'resourceVersion'], undefined) }
      : effect,
  ),
  misdoes('images go without the marker', (effect) =>
    isImagePatch(effect) ? { ...effect, body: withMember(effect.body, annotationPath, undefined) } : effect,
  ),
  misdoes('images go without the revision label', (effect) =>
    isImagePatch(effect)
      ? { ...effect, body: withMember(effect.body, ['metadata', 'labels', revisionLabel], undefined) }
      : effect,
  ),
  misdoes('another image than the template says is patched in', (effect) =>
    isImagePatch(effect)
      ? {
          ...effect,
          body: withMember(
            effect.body,
            ['spec', 'containers'],
            containersOf(effect.body).map((it) => ({ ...it, image: 'engine:v1' })),
          ),
        }
      : effect,
  ),
  misdoes('a patch sets more of the spec than images', (effect) =>
    isImagePatch(effect)
      ? { ...effect, body: withMember(effect.body, ['spec', 'activeDeadlineSeconds'], 86_400) }
      : effect,
  ),
  misdoes('a Pod is made with a wrong GROUP_SIZE', (effect) => {
    if (effect.kind !== 'create' || effect.resource !== 'pods') return effect;
    const pod = effect.object as PodLike;
    const containers = pod.spec.containers.map((it) => ({ ...it, env: [{ name: 'GROUP_SIZE', value: '9' }] }));
    return { ...effect, object: { ...pod, spec: { ...pod.spec, containers } } as typeof effect.object };
  }),
  misdoes('a Pod is labelled with a revision it was not made from', (effect, { modelServing }) =>
    effect.kind === 'create' && effect.resource === 'pods'
      ? {
          ...effect,
          object: withMember(
            effect.object,
            ['metadata', 'labels', revisionLabel],
            modelServing.status?.updateRevision ?? 'none',
          ) as typeof effect.object,
        }
      : effect,
  ),
  misdoes('Services are never made', (effect) =>
    effect.kind === 'create' && effect.resource === 'services' ? undefined : effect,
  ),
  misdoes('Services of what is gone stay', (effect) =>
    effect.kind === 'delete' && effect.resource === 'services' ? undefined : effect,
  ),
  misdoes('labels are never put back', (effect) =>
    effect.kind === 'patch' && effect.resource === 'pods' && isLabelsAlone(effect.body) ? undefined : effect,
  ),
  overdoes('the history is deleted while it is in use', ({ children }) =>
    children.controllerRevisions.slice(0, 1).map(
      (revision): Effect => ({
        kind: 'delete',
        key: `mutant/${uidOf(revision)}`,
        resource: 'controllerrevisions',
        ref: refOf(revision),
        uid: uidOf(revision),
        why: 'mutant',
      }),
    ),
  ),
];

function isLabelsAlone(body: unknown): boolean {
  const { metadata, spec } = body as { readonly metadata?: Readonly<Record<string, unknown>>; readonly spec?: unknown };
  return spec === undefined && metadata?.['labels'] !== undefined;
}

const recovery: readonly Mutant[] = [
  misreads('a loss is filled beside the survivors', (ms) => withSpec(ms, { recoveryPolicy: 'None' })),
  misreads('one lost Pod takes its whole group', (ms) => withSpec(ms, { recoveryPolicy: 'ServingGroupRecreate' })),
  misreads('the grace period of a restart is skipped', (ms) =>
    withSpec(ms, { template: { ...ms.spec.template, restartGracePeriodSeconds: 0 } }),
  ),
  overdoes('whatever is not Ready is deleted', ({ children }) =>
    children.pods.filter((pod) => !isReady(pod) && !isTerminating(pod)).map((pod) => deletes(pod, 'mutant: not Ready')),
  ),
  overdoes('a Pod that was restarted once is deleted', ({ children }) =>
    children.pods
      .filter(
        (pod) => !isTerminating(pod) && pod.status?.containerStatuses?.some(({ restartCount }) => restartCount > 0),
      )
      .map((pod) => deletes(pod, 'mutant: restarted')),
  ),
  misreads('everything is recreated', (ms) => withStrategy(ms, { updateMethod: 'Recreate' })),
  misdoes('a Pod that has ended is left there', (effect, { children }) => {
    if (effect.kind !== 'delete' || effect.resource !== 'pods') return effect;
    const pod = children.pods.find((it) => uidOf(it) === effect.uid);
    return pod?.status?.phase === 'Failed' || pod?.status?.phase === 'Succeeded' ? undefined : effect;
  }),
  {
    name: 'a milestone may wait like any status',
    decide: (input) => ({ ...decide(input), milestone: false }),
  },
  misreports('what leaves is not recorded', (status) => ({
    ...status,
    units: encodeUnits(decodeUnits(status.units).map((record) => ({ ...record, leaving: false }))),
  })),
];

const scaling: readonly Mutant[] = [
  misreads('one group more than wanted', (ms) => withSpec(ms, { replicas: (ms.spec.replicas ?? 1) + 1 })),
  misreads('one role instance more than wanted', (ms) =>
    withSpec(ms, {
      template: {
        ...ms.spec.template,
        roles: ms.spec.template.roles.map((role) => ({ ...role, replicas: (role.replicas ?? 1) + 1 })),
      },
    }),
  ),
  misdoes('what is scaled down stays', (effect) =>
    effect.kind === 'delete' && effect.why.includes('scaled down') ? undefined : effect,
  ),
  misreads('a scale to zero keeps one', (ms) => withSpec(ms, { replicas: Math.max(1, ms.spec.replicas ?? 1) })),
];

const status: readonly Mutant[] = [
  misreports('available counts one too many', (it) => ({ ...it, availableReplicas: (it.availableReplicas ?? 0) + 1 })),
  misreports('observedGeneration runs ahead', (it) => ({
    ...it,
    observedGeneration: (it.observedGeneration ?? 0) + 1,
  })),
  misreports('observedGeneration is never moved on', (it) => ({ ...it, observedGeneration: 1 })),
  misreports('currentRevision moves with the first unit', (it) => ({ ...it, currentRevision: it.updateRevision })),
  misreports('currentRevision never moves on', (it, { modelServing }) => ({
    ...it,
    currentRevision: modelServing.status?.currentRevision ?? it.currentRevision,
  })),
  misreports('Available is claimed during an update', (it) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({
      ...condition,
      status: condition.type === 'Available' ? 'True' : 'False',
    })),
  })),
  misreports('updated counts nothing', (it) => ({ ...it, updatedReplicas: 0 })),
  misreports('a transition time at every write', (it, { time }) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({
      ...condition,
      lastTransitionTime: new Date(time.wall).toISOString().replace(/\.\d+Z$/, 'Z'),
    })),
  })),
  misreports('two conditions are True', (it) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({ ...condition, status: 'True' })),
  })),
  {
    name: 'a decision is never looked at again by itself',
    decide: (input) => ({ ...decide(input), wakeAfterMs: undefined }),
  },
  {
    name: 'a status is never written',
    decide: (input) => ({ ...decide(input), status: undefined }),
  },
];

/** Deliberately wrong operators; each must break a rule within a few seeds. */
export const mutants: readonly Mutant[] = [
  ...budgetAndOrder,
  ...completion,
  ...writes,
  ...recovery,
  ...scaling,
  ...status,
];
