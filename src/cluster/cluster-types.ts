import type { Log } from '../kube/index.ts';
import type { KubeObject, Pod, Taint } from '../objects/index.ts';
import type { Cancel, Platform, Transport } from '../platform/index.ts';
import type { Faults } from './server/faults/faults.ts';

/** What one container image does when it runs on the simulated kubelet. All durations in milliseconds. */
export interface ImageBehaviour {
  /** Content: two references with equal content are tags of one image and report one imageID. Default: the reference. */
  readonly content?: string;
  /** The image came to the node from a file: it has no repository digest, and imageID is a bare `sha256:…`. */
  readonly imported?: boolean;
  /** The name in `status.image`, where a runtime reports another one than was asked for. */
  readonly reportedAs?: string;
  /** Time of the first pull on each node. Default 200. */
  readonly pullMs?: number;
  /** The pull fails with this message (`ErrImagePull`, then `ImagePullBackOff`). */
  readonly pullError?: string;
  /** From start of the container to its readiness, if it has a readiness probe. Default 300. */
  readonly readyAfterMs?: number;
  /** Never passes its readiness probe. */
  readonly neverReady?: boolean;
  /** Exits this long after each start, with `exitCode`. */
  readonly exitsAfterMs?: number;
  readonly exitCode?: number;
  /** From this long after each start it answers no probe any more: it loses readiness, and liveness if it has one. */
  readonly hangsAfterMs?: number;
  /** Ignores TERM: takes its whole grace period to die and exits with 137. */
  readonly ignoresTerm?: boolean;
  /** Lines that `kubectl logs` shows. */
  readonly log?: readonly string[];
}

/** A request as admission sees it; the object is what would be stored. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly object?: KubeObject | undefined;
  readonly oldObject?: KubeObject | undefined;
  readonly userName: string;
}

export type AdmissionAnswer =
  | { readonly allowed: true; readonly object?: KubeObject; readonly warnings?: readonly string[] }
  | { readonly allowed: false; readonly code?: number; readonly message: string };

/** An admission plugin in process: refuses, rewrites or lets pass, as a webhook of that name would. */
export interface AdmissionPlugin {
  readonly name: string;
  admit(request: AdmissionRequest): AdmissionAnswer;
}

export interface NodeOptions {
  readonly name: string;
  /** Allocatable Pods. Default 110. */
  readonly maxPods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  /** Allocatable resources besides Pods, added to `cpu: 64`, `memory: 512Gi`. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Images that are on the node from the start. */
  readonly images?: readonly string[];
  /** Reports observedGeneration, as kubelets since 1.34 do. Default true. */
  readonly reportsObservedGeneration?: boolean;
  /** How long a status waits before it is sent. Default 0. */
  readonly statusDelayMs?: number;
}

/** One committed write, in the order of commits: the ground for every proof about who wrote what and when. */
export interface LedgerEntry {
  readonly resourceVersion: string;
  readonly atMs: number;
  readonly userName: string;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject | undefined;
}

/** What really runs in a container, as only the node knows it. */
export interface ContainerTruth {
  readonly image: string;
  readonly content: string;
  readonly containerID: string;
  readonly running: boolean;
}

export interface ClusterOptions {
  readonly platform: Platform;
  readonly nodes?: readonly NodeOptions[];
  /** Behaviour by image reference; one that is not listed runs well with the defaults. */
  readonly images?: Readonly<Record<string, ImageBehaviour>>;
  /** How much history a watch may start from before it answers 410, in events per resource. Default 10,000. */
  readonly historyLimit?: number;
  /** How many writes the ledger keeps; a cluster that runs for weeks wants few. Default 1,000,000. */
  readonly ledgerLimit?: number;
  /** Pods older servers know no generation: `metadata.generation` stays absent on Pods. Default true. */
  readonly podGeneration?: boolean;
  /** How long the garbage collector waits before it looks at what may be garbage, in milliseconds. Default 0. */
  readonly garbageCollectionDelayMs?: number;
  /** Whether scheduler and kubelets write events. They are half of all writes of a Pod's start. Default true. */
  readonly podEvents?: boolean;
  /**
   * Whether nodes renew leases, and one that is paused for 40 s is found lost: tainted, its Pods not Ready, and deleted
   * once they no longer tolerate it. Default false: then a paused node is noticed by nobody.
   */
  readonly nodeHeartbeats?: boolean;
  /** Whether Services get EndpointSlices. Default false: they are written at every change of a Pod's readiness. */
  readonly endpointSlices?: boolean;
  /** Where the cluster's own components tell what goes wrong. Default nowhere. */
  readonly log?: Log;
}

/** A Kubernetes cluster in one process: API server, scheduler, nodes, garbage collector. */
export interface Cluster {
  /** Connects as a user; the name stands in the ledger. The API server's handler is called directly, no network. */
  connect(userName: string): Transport;
  start(): Promise<void>;
  stop(): Promise<void>;
  admission(plugin: AdmissionPlugin): Cancel;
  setImage(reference: string, behaviour: ImageBehaviour): void;
  readonly ledger: readonly LedgerEntry[];
  /** What can be made to go wrong between the API server and its clients. */
  readonly faults: Faults;
  readonly nodes: ClusterNodes;
}

/** The machine room: what a person with access to the nodes could do or see. */
export interface ClusterNodes {
  add(node: NodeOptions): Promise<void>;
  /** What runs in a Pod's container right now; undefined where nothing was ever started. */
  truth(pod: Pod, container: string): ContainerTruth | undefined;
  /** Ends a container from outside, as a crash or the kernel would. */
  kill(pod: Pod, container: string, exit: { readonly code: number; readonly reason?: string }): void;
  /** Overrides probe results of a running container until cleared with undefined. */
  setReady(pod: Pod, container: string, ready: boolean | undefined): void;
  /** The kubelet stops: nothing is started, killed or reported until it resumes; containers run on. */
  pause(node: string): void;
  resume(node: string): void;
  /** While true the node's statuses do not leave it; afterwards the newest of each Pod does. */
  mute(node: string, muted: boolean): void;
  /** The runtime forgets a container: a running one vanishes without a trace and its restarts are counted anew. */
  lose(pod: Pod, container: string): void;
  /** The kubelet ends the Pod for want of memory, disk or the like: it is Failed with reason Evicted, and stays. */
  evict(pod: Pod, message: string): void;
  /** The kubelet starts anew: back-offs and probe results are forgotten, containers run on. */
  restartKubelet(node: string): void;
  /** Every container of the node ends; its Pods stay and start anew, with new addresses. */
  reboot(node: string): void;
  /** What a container wrote, the running one or the one before; undefined where it never ran. */
  logs(pod: Pod, container: string, options?: { readonly previous?: boolean }): readonly string[] | undefined;
}
