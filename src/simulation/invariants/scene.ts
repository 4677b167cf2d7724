import {
  decodeUnits,
  type InstanceRecord,
  type ModelServing,
  type PodIdentity,
  parsePodName,
  revisionLabel,
} from '../../api/index.ts';
import type { Cluster, LedgerEntry } from '../../cluster/index.ts';
import {
  type ControllerRevision,
  controllerOf,
  isTerminating,
  type Pod,
  type Service,
  uidOf,
} from '../../objects/index.ts';
import { type RevisionRole, readRevision } from '../../revision/index.ts';

/** A Pod of the ModelServing, with what its name says. */
export interface ScenePod extends PodIdentity {
  readonly name: string;
  readonly pod: Pod;
}

export interface SceneOptions {
  readonly cluster: Pick<Cluster, 'nodes'>;
  readonly operatorUser: string;
  /** Users that are neither the operator nor part of the cluster. */
  readonly people: readonly string[];
  /** Name of the one ModelServing. */
  readonly name: string;
  /** How old the view may be that a write was decided on, milliseconds. */
  readonly staleMs: number;
  /** Now, milliseconds, as the ledger counts. */
  readonly now: () => number;
}

/** Everything that exists for one ModelServing, put together from the ledger alone. */
export interface Scene {
  readonly options: SceneOptions;
  readonly pods: ReadonlyMap<string, Pod>;
  readonly services: ReadonlyMap<string, Service>;
  readonly revisions: ReadonlyMap<string, ControllerRevision>;
  /** The ModelServing as stored; undefined where there is none. */
  readonly modelServing: ModelServing | undefined;
  /** Every version of it that a write committed now may have been decided on, the present one last. */
  recent(): readonly ModelServing[];
  /** Whether a ModelServing of this UID is there, or was within the time that a view may be old. */
  wasAlive(uid: string | undefined): boolean;
  /** Whether somebody else wrote to the Pod within the time that a view may be old. */
  wasTouched(pod: Pod): boolean;
  /** Whether somebody else ever wrote to the Pod's spec or metadata. */
  wasEverTouched(pod: Pod): boolean;
  /** Pods that it controls, terminating ones included. */
  ownPods(): readonly ScenePod[];
  records(): readonly InstanceRecord[];
  /** Roles of a revision, by its label; undefined where it is not on record. */
  roles(revision: string | undefined): readonly RevisionRole[] | undefined;
  /** The image that really is in a container, running or not; undefined where nothing ever started. */
  truth(pod: Pod, container: string): { readonly image: string; readonly running: boolean } | undefined;
  take(entry: LedgerEntry): void;
}

export const createScene = (options: SceneOptions): Scene => {
  const { name, people, staleMs, now, cluster } = options;
  const pods = new Map<string, Pod>();
  const services = new Map<string, Service>();
  const revisions = new Map<string, ControllerRevision>();
  const versions: { readonly modelServing: ModelServing; until: number }[] = [];
  const touched = new Map<string, number>();
  let modelServing: ModelServing | undefined;

  const end = (): void => {
    const last = versions.at(-1);
    if (last?.until === Number.POSITIVE_INFINITY) last.until = now();
  };

  const takeModelServing = (next: ModelServing | undefined): void => {
    end();
    modelServing = next;
    if (next !== undefined) versions.push({ modelServing: next, until: Number.POSITIVE_INFINITY });
    const oldest = now() - staleMs;
    while (versions[0] !== undefined && versions[0].until < oldest) versions.shift();
  };

  const isGone = ({ verb, object }: LedgerEntry): boolean =>
    verb === 'delete' && (object.metadata.deletionTimestamp === undefined || isLastDelete(object));

  const store = <T>(map: Map<string, T>, entry: LedgerEntry): void => {
    if (isGone(entry)) map.delete(entry.name);
    else map.set(entry.name, entry.object as T);
  };

  const rolesOf = new WeakMap<ControllerRevision, readonly RevisionRole[]>();

  return {
    options,
    pods,
    services,
    revisions,
    get modelServing() {
      return modelServing;
    },
    recent: () => versions.filter(({ until }) => until >= now() - staleMs).map((it) => it.modelServing),
    wasAlive: (uid) =>
      uid !== undefined && versions.some((it) => it.until >= now() - staleMs && it.modelServing.metadata.uid === uid),
    wasTouched: (pod) => (touched.get(uidOf(pod)) ?? Number.NEGATIVE_INFINITY) >= now() - staleMs,
    wasEverTouched: (pod) => touched.has(uidOf(pod)),
    ownPods: () => {
      const uid = modelServing?.metadata.uid;
      return [...pods.values()].flatMap((pod) => {
        const id = parsePodName(name, pod.metadata.name ?? '');
        return id === undefined || controllerOf(pod)?.uid !== uid
          ? []
          : [{ ...id, name: pod.metadata.name ?? '', pod }];
      });
    },
    records: () => decodeUnits(modelServing?.status?.units).filter(({ filling }) => filling !== true),
    roles: (revision) => {
      const found = [...revisions.values()].find(({ metadata }) => metadata.labels?.[revisionLabel] === revision);
      if (found === undefined) return undefined;
      const known = rolesOf.get(found);
      if (known !== undefined) return known;
      const reading = readRevision(found);
      if (reading.state !== 'readable') return undefined;
      rolesOf.set(found, reading.data.roles);
      return reading.data.roles;
    },
    truth: (pod, container) => cluster.nodes.truth(pod, container),
    take: (entry) => {
      switch (entry.resource) {
        case 'pods':
          store(pods, entry);
          if (people.includes(entry.userName)) touched.set(uidOf(entry.object), now());
          return;
        case 'services':
          return store(services, entry);
        case 'controllerrevisions':
          return store(revisions, entry);
        case 'modelservings':
          return takeModelServing(isGone(entry) ? undefined : (entry.object as ModelServing));
        default:
      }
    },
  };
};

/** A delete that only marks the object leaves a grace period or a finalizer to wait for. */
const isLastDelete = (object: LedgerEntry['object']): boolean =>
  (object.metadata.deletionGracePeriodSeconds ?? 0) === 0 && (object.metadata.finalizers ?? []).length === 0;

export const isAlive = ({ pod }: ScenePod): boolean =>
  !isTerminating(pod) && pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded';

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

export const revisionOfPod = (pod: Pod): string | undefined => pod.metadata.labels?.[revisionLabel];
