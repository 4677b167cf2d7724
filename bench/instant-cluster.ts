import type { ModelServing } from '../src/api/index.ts';
import {
  applyMergePatch,
  applyStrategicMergePatch,
  builtinSchema,
  type ControllerRevision,
  type KubeObject,
  mergeSchemaOf,
  nameOf,
  type PlainObject,
  type Pod,
  type Service,
  uidOf,
} from '../src/objects/index.ts';
import {
  type DecideInput,
  type Decision,
  decide,
  type Effect,
  type PodSighting,
  type RoleInstancePhase,
  seePod,
} from '../src/rollout/index.ts';

/**
 * A cluster without time or wires around one ModelServing: what is decided is so at once, and kubelets finish when they
 * are told to. It makes the objects that a decision is measured on, by decisions.
 */
export interface InstantCluster {
  /** What the next decision would look at. */
  input(): DecideInput;
  /** Decides, and makes it so. */
  step(): Decision;
  edit(change: (live: ModelServing) => ModelServing): void;
  /** Lets the kubelets of all Pods catch up, or of those that the predicate names. */
  runKubelets(which?: (pod: Pod) => boolean): void;
  pods(): readonly Pod[];
}

const startedAt = '2026-01-01T00:00:01Z';
const podSchema = mergeSchemaOf(builtinSchema('io.k8s.api.core.v1.Pod'));

export const createInstantCluster = (manifest: ModelServing): InstantCluster => {
  let version = 1000;
  let now = Date.parse('2026-01-01T00:00:00Z');
  let modelServing = stored({ ...manifest, metadata: { ...manifest.metadata, generation: 1 } });
  let phases: ReadonlyMap<string, RoleInstancePhase> | undefined;
  const pods = new Map<string, Pod>();
  const services = new Map<string, Service>();
  const revisions = new Map<string, ControllerRevision>();
  const sightings = new Map<string, PodSighting>();
  const answers = new Map<string, Readonly<Record<string, string>>>();
  const eventsSent = new Set<string>();

  function stored<T extends KubeObject>(object: T): T {
    version += 1;
    const { metadata } = object;
    const uid = metadata.uid ?? `00000000-0000-4000-8000-${String(version).padStart(12, '0')}`;
    return { ...object, metadata: { ...metadata, uid, resourceVersion: String(version) } };
  }

  const put = (pod: Pod): void => {
    const next = stored(pod);
    pods.set(nameOf(next), next);
    sightings.set(uidOf(next), seePod(sightings.get(uidOf(next)), next, now));
  };

  const create = (effect: Extract<Effect, { kind: 'create' }>): void => {
    const { object } = effect;
    if (effect.resource === 'pods') {
      put({ ...(object as Pod), metadata: { ...object.metadata, generation: 1 }, status: { phase: 'Pending' } });
    } else if (effect.resource === 'services') services.set(nameOf(object), stored(object as Service));
    else revisions.set(nameOf(object), stored(object as ControllerRevision));
  };

  const patch = (effect: Extract<Effect, { kind: 'patch' }>): void => {
    if (effect.resource === 'controllerrevisions') {
      const revision = revisions.get(effect.ref.name);
      if (revision === undefined) return;
      revisions.set(effect.ref.name, stored(applyMergePatch(revision, effect.body) as ControllerRevision));
      return;
    }
    const pod = pods.get(effect.ref.name);
    if (pod === undefined) return;
    const body = effect.body as PlainObject;
    const patched = applyStrategicMergePatch(pod as unknown as PlainObject, body, podSchema) as unknown as Pod;
    const generation = (pod.metadata.generation ?? 0) + ('spec' in body ? 1 : 0);
    put({ ...patched, metadata: { ...patched.metadata, generation } });
    answers.set(effect.uid, Object.fromEntries(patched.spec.containers.map(({ name, image }) => [name, image ?? ''])));
  };

  const make = (effect: Effect): void => {
    if (effect.kind === 'create') create(effect);
    else if (effect.kind === 'patch') patch(effect);
    else throw new Error(`an in-place rollout asks for a ${effect.kind} of ${effect.key}: ${effect.why}`);
  };

  const input = (): DecideInput => ({
    modelServing,
    children: {
      pods: [...pods.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
      services: [...services.values()],
      controllerRevisions: [...revisions.values()],
    },
    time: { wall: now, monotonic: now },
    memory: {
      sightings,
      answers,
      eventsSent,
      phases,
      refusals: new Map(),
      reads: new Map(),
      statusPruned: false,
    },
  });

  return {
    input,
    step: () => {
      now += 1000;
      const decision = decide(input());
      phases = decision.phases;
      if (decision.status !== undefined) modelServing = stored({ ...modelServing, status: decision.status });
      for (const { name } of decision.events) eventsSent.add(name);
      for (const effect of decision.effects.flat()) make(effect);
      return decision;
    },
    edit: (change) => {
      const generation = (modelServing.metadata.generation ?? 0) + 1;
      const next = change(modelServing);
      modelServing = stored({ ...next, metadata: { ...next.metadata, generation } });
    },
    runKubelets: (which = () => true) => {
      for (const pod of [...pods.values()].filter(which)) {
        if (pod.status?.observedGeneration === pod.metadata.generation) continue;
        // A kubelet says that it has seen the change before it acts on it.
        if (pod.status?.phase === 'Running') {
          put({ ...pod, status: { ...pod.status, observedGeneration: pod.metadata.generation } });
        }
        put(running(pods.get(nameOf(pod)) ?? pod));
      }
    },
    pods: () => [...pods.values()],
  };
};

/** The Pod with all its containers up from the images of its spec; those whose image changed have started anew. */
const running = (pod: Pod): Pod => ({
  ...pod,
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    startTime: startedAt,
    observedGeneration: pod.metadata.generation,
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: startedAt,
    })),
    containerStatuses: pod.spec.containers.map(({ name, image = '' }) => ({
      name,
      image,
      imageID: `sha256:${image}`,
      containerID: `containerd://${uidOf(pod)}/${name}/${image}`,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt } },
    })),
  },
});
