/**
 * What the container runtime of a node keeps, as plain values: a change makes a new record, so a view that was taken
 * earlier stays as it was. Times are wall milliseconds.
 */
export interface ContainerRecord {
  /** `containerd://` and 64 hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  /** The reference it was made from, as the spec spelt it. */
  readonly image: string;
  readonly content: string;
  /** Starts of containers of this name before it, as the kubelet counted them when it made this one. */
  readonly restarts: number;
  /** Lines it wrote when it started. */
  readonly log: readonly string[];
  readonly run: ContainerRun;
}

export type ContainerRun =
  | { readonly state: 'running'; readonly startedAtMs: number }
  | {
      readonly state: 'exited';
      readonly startedAtMs: number;
      readonly finishedAtMs: number;
      readonly exitCode: number;
      /** `Completed`, `Error`, `OOMKilled`, … */
      readonly reason: string;
    };

/** The Pod's own cgroup and network: it lives as long as the Pod, whatever its containers do. */
export interface SandboxRecord {
  readonly ip: string;
  readonly ready: boolean;
}

export interface PodRecord {
  readonly sandbox: SandboxRecord | undefined;
  /** Newest first; of each name the newest and the one before it. */
  readonly containers: readonly ContainerRecord[];
}

export const emptyPodRecord: PodRecord = { sandbox: undefined, containers: [] };

/** The newest container of a name: the one that the Pod's status is about. */
export const newestOf = (record: PodRecord, name: string): ContainerRecord | undefined =>
  record.containers.find((container) => container.name === name);

export const isRunning = (container: ContainerRecord | undefined): container is ContainerRecord =>
  container?.run.state === 'running';
