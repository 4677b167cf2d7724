import type { ContainerState, ContainerStatus, Pod, PodCondition } from '../../src/objects/index.ts';

export interface PodOptions {
  /** Name of the ModelServing. Default `ms`. */
  readonly owner?: string;
  /** Default `uid-<owner>`. */
  readonly ownerUid?: string;
  /** Default `default`. */
  readonly namespace?: string;
  /** Ordinal of the ServingGroup. Default 0. */
  readonly group?: number;
  /** Default `r`. */
  readonly role?: string;
  /** Ordinal of the role instance. Default 0. */
  readonly instance?: number;
  /** 0 is the entry Pod. Default 0. */
  readonly index?: number;
  /** Default `rev1`. */
  readonly revision?: string;
  /** Default `hash-<revision>`. */
  readonly roleTemplateHash?: string;
  /** Image of the only container, `c`. Default `engine:v1`. */
  readonly image?: string;
  /** Several containers by name, instead of `image`. */
  readonly images?: Readonly<Record<string, string>>;
  /** Default `uid-<pod name>`. */
  readonly uid?: string;
  /** Null for a server that counts none for Pods. Default 1. */
  readonly generation?: number | null;
  /** `terminationGracePeriodSeconds`. Default 30. */
  readonly graceSeconds?: number;
}

/** A Pod as the API server would show it, built step by step. Every step gives a new builder; the old one stays. */
export interface PodBuilder {
  /** Scheduled, all containers run the images of the spec, Ready, the kubelet has seen the latest generation. */
  ready(): PodBuilder;
  /** As `ready`, with containers that have not passed their readiness probe. */
  running(): PodBuilder;
  /** The condition Ready alone goes False, and with it the containers' own; nothing restarts. */
  unready(): PodBuilder;
  /** The API server took an image patch; the kubelet has not seen it: generation + 1, status unchanged. */
  patched(images: Readonly<Record<string, string>>): PodBuilder;
  /** The kubelet reports the latest generation, with everything else as it was. */
  observed(): PodBuilder;
  /** A container ended and runs again, from `image` (default: the spec's), with a new containerID, one restart more. */
  restarted(options?: {
    readonly container?: string;
    readonly image?: string;
    readonly ready?: boolean;
    readonly exitCode?: number;
  }): PodBuilder;
  /** A container waits (`ImagePullBackOff`, `CrashLoopBackOff`, …); its old ID stays, as the kubelet leaves it. */
  waiting(reason: string, options?: { readonly container?: string; readonly message?: string }): PodBuilder;
  /** Changes one container status as the test likes. */
  container(name: string, change: Partial<ContainerStatus>): PodBuilder;
  terminating(at?: string): PodBuilder;
  failed(reason?: string): PodBuilder;
  onNode(name: string): PodBuilder;
  label(key: string, value: string | undefined): PodBuilder;
  annotation(key: string, value: string | undefined): PodBuilder;
  resourceVersion(value: string): PodBuilder;
  /** Changes anything else. */
  with(change: (pod: Pod) => Pod): PodBuilder;
  build(): Pod;
}

const startedAt = '2026-01-01T00:00:01Z';

/** `aPod({ group: 2, role: 'prefill', index: 1 }).ready().build()` */
export const aPod = (options: PodOptions = {}): PodBuilder => builderOf(freshPod(options));

const freshPod = (options: PodOptions): Pod => {
  const { owner = 'ms', namespace = 'default', role = 'r', revision = 'rev1' } = options;
  const { group = 0, instance = 0, index = 0, generation = 1 } = options;
  const name = `${owner}-${group}-${role}-${instance}-${index}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: options.uid ?? `uid-${name}`,
      resourceVersion: '100',
      ...(generation === null ? {} : { generation }),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'modelserving.volcano.sh/name': owner,
        'modelserving.volcano.sh/group-name': `${owner}-${group}`,
        'modelserving.volcano.sh/role': role,
        'modelserving.volcano.sh/role-id': `${role}-${instance}`,
        'modelserving.volcano.sh/revision': revision,
        'modelserving.volcano.sh/role-template-hash': options.roleTemplateHash ?? `hash-${revision}`,
        ...(index === 0 ? { 'modelserving.volcano.sh/entry': 'true' } : {}),
      },
      annotations: { 'modelserving.volcano.sh/created-revision': revision },
      ownerReferences: [
        {
          apiVersion: 'workload.serving.volcano.sh/v1alpha1',
          kind: 'ModelServing',
          name: owner,
          uid: options.ownerUid ?? `uid-${owner}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: Object.entries(options.images ?? { c: options.image ?? 'engine:v1' }).map(([container, image]) => ({
        name: container,
        image,
        imagePullPolicy: 'IfNotPresent' as const,
      })),
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: options.graceSeconds ?? 30,
    },
    status: { phase: 'Pending' },
  };
};

const builderOf = (pod: Pod): PodBuilder => {
  const next = (change: Partial<Pod>): PodBuilder => builderOf({ ...pod, ...change });
  const withStatus = (change: Partial<NonNullable<Pod['status']>>): PodBuilder =>
    next({ status: { ...pod.status, ...change } });
  const withMetadata = (change: Partial<Pod['metadata']>): PodBuilder =>
    next({ metadata: { ...pod.metadata, ...change } });
  const statuses = pod.status?.containerStatuses ?? [];
  const only = pod.spec.containers[0]?.name ?? '';

  const withContainer = (name: string, change: (status: ContainerStatus) => ContainerStatus): PodBuilder => {
    const changed = statuses.map((status) => (status.name === name ? change(status) : status));
    const ready = changed.every((status) => status.ready);
    return withStatus({ containerStatuses: changed, conditions: conditionsOf(ready) });
  };

  return {
    ready: () => withStatus(started(pod, true)),
    running: () => withStatus(started(pod, false)),
    unready: () =>
      withStatus({
        conditions: conditionsOf(false),
        containerStatuses: statuses.map((status) => ({ ...status, ready: false })),
      }),
    patched: (images) =>
      next({
        spec: {
          ...pod.spec,
          containers: pod.spec.containers.map((container) => ({
            ...container,
            image: images[container.name] ?? container.image,
          })),
        },
        metadata: bumped(pod.metadata),
      }),
    observed: () =>
      pod.metadata.generation === undefined ? next({}) : withStatus({ observedGeneration: pod.metadata.generation }),
    restarted: (change = {}) => {
      const name = change.container ?? only;
      const image = change.image ?? pod.spec.containers.find((container) => container.name === name)?.image ?? '';
      return withContainer(name, (status) => {
        const restartCount = status.restartCount + 1;
        const ended: ContainerState = {
          terminated: { exitCode: change.exitCode ?? 0, containerID: status.containerID },
        };
        return {
          ...running(name, image, change.ready ?? true),
          restartCount,
          containerID: containerId(pod, name, restartCount),
          lastState: ended,
        };
      });
    },
    waiting: (reason, change = {}) =>
      withContainer(change.container ?? only, (status) => ({
        ...status,
        ready: false,
        started: false,
        state: { waiting: { reason, message: change.message } },
      })),
    container: (name, change) => withContainer(name, (status) => ({ ...status, ...change })),
    terminating: (at = '2026-01-01T00:01:00Z') =>
      withMetadata({ deletionTimestamp: at, deletionGracePeriodSeconds: pod.spec.terminationGracePeriodSeconds ?? 30 }),
    failed: (reason = 'Evicted') => withStatus({ phase: 'Failed', reason, conditions: conditionsOf(false) }),
    onNode: (nodeName) => next({ spec: { ...pod.spec, nodeName } }),
    label: (key, value) => withMetadata({ labels: withEntry(pod.metadata.labels, key, value) }),
    annotation: (key, value) => withMetadata({ annotations: withEntry(pod.metadata.annotations, key, value) }),
    resourceVersion: (value) => withMetadata({ resourceVersion: value }),
    with: (change) => builderOf(change(pod)),
    build: () => pod,
  };
};

const started = (pod: Pod, ready: boolean): Partial<NonNullable<Pod['status']>> => ({
  phase: 'Running',
  startTime: startedAt,
  conditions: conditionsOf(ready),
  containerStatuses: pod.spec.containers.map(({ name, image = '' }) => ({
    ...running(name, image, ready),
    containerID: containerId(pod, name, 0),
  })),
  ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
});

const running = (name: string, image: string, ready: boolean): ContainerStatus => ({
  name,
  image: `docker.io/library/${image}`,
  imageID: `sha256:${image}`,
  ready,
  started: true,
  restartCount: 0,
  state: { running: { startedAt } },
});

const containerId = (pod: Pod, container: string, restarts: number): string =>
  `containerd://${pod.metadata.uid ?? ''}/${container}/${restarts}`;

const conditionsOf = (ready: boolean): readonly PodCondition[] =>
  ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: ready || type === 'PodScheduled' || type === 'Initialized' ? 'True' : 'False',
    lastTransitionTime: startedAt,
  }));

const bumped = (metadata: Pod['metadata']): Pod['metadata'] => ({
  ...metadata,
  resourceVersion: String(BigInt(metadata.resourceVersion ?? '0') + 1n),
  ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
});

const withEntry = (
  map: Readonly<Record<string, string>> | undefined,
  key: string,
  value: string | undefined,
): Readonly<Record<string, string>> => {
  const { [key]: _dropped, ...rest } = map ?? {};
  return value === undefined ? rest : { ...rest, [key]: value };
};
