import {
  type ModelServing,
  type ModelServingStatus,
  modelServingCrd,
  modelServingResource,
  nameLabel,
} from '../api/index.ts';
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  type ImageBehaviour,
  type NodeOptions,
} from '../cluster/index.ts';
import { compareVersions, createClient, isApiError, type KubeClient, type Resource, resources } from '../kube/index.ts';
import {
  type Event,
  type KubeObject,
  keyOf,
  nameOf,
  type ObjectRef,
  type Pod,
  refOf,
  resourceVersionOf,
} from '../objects/index.ts';
import { createLog, type OperatorOptions } from '../operator/index.ts';
import { decide, seePod } from '../rollout/index.ts';
import { createDisturbances, type Disturbances } from './disturbance.ts';
import { type LedgerView, viewLedger } from './ledger-view.ts';
import { type Observer, startObserver } from './observer.ts';
import { type CrashPlan, type Logic, launchOperator, type RunningOperator } from './running-operator.ts';
import { createVirtualPlatform, type VirtualPlatform, type VirtualPlatformOptions } from './virtual-platform.ts';
import { withImage } from './with-image.ts';

export interface WorldOptions extends VirtualPlatformOptions {
  /** A number of nodes, or the nodes. Default 3. */
  readonly nodes?: number | readonly NodeOptions[];
  readonly images?: Readonly<Record<string, ImageBehaviour>>;
  /** What decides in the operator. Default: the rollout, as it ships. */
  readonly logic?: Logic;
  readonly operator?: OperatorOptions;
  /** A decision that throws fails the run, as a bug should; true leaves it to the operator. Default false. */
  readonly toleratesBugs?: boolean;
  /** Between operator and API server, each way, milliseconds. Default 1. */
  readonly latencyMs?: number;
  /** False: no operator runs until `startOperator`. Default true. */
  readonly startOperator?: boolean;
  /** The CRD to install. Default: the one of this version. */
  readonly crd?: KubeObject;
  /** Everything else about the cluster. Scheduler and kubelets write no events here unless asked to: half of all writes. */
  readonly cluster?: Omit<ClusterOptions, 'platform' | 'nodes' | 'images'>;
}

/** A cluster with an operator in it, on a clock that only moves inside these calls. Waits are in milliseconds. */
export interface World {
  readonly machine: VirtualPlatform;
  readonly cluster: Cluster;
  readonly seen: Observer;
  readonly ledger: LedgerView;
  /** Faults of the network and the API server for whatever the operator sends. */
  readonly faults: Disturbances;
  /** Requests of a person with all rights. Use `finish` to run them. */
  readonly client: KubeClient;
  /** Runs until a promise settles. */
  finish<T>(work: Promise<T>): Promise<T>;
  run(ms: number): Promise<void>;
  /** Runs until it is true, ten minutes at most unless more is given. */
  until(predicate: (world: World) => boolean, timeoutMs?: number): Promise<void>;
  /** Runs until nothing is going to happen by itself; two hours at most. */
  settle(timeoutMs?: number): Promise<void>;

  apply(modelServing: ModelServing): Promise<ModelServing>;
  /** Reads, changes, writes; again where somebody wrote in between. */
  edit(which: ObjectRef | KubeObject, change: (live: ModelServing) => ModelServing): Promise<ModelServing>;
  /** Sets the image of every container of a Role, or of all Roles, in the spec. */
  setImage(which: ObjectRef | KubeObject, image: string, role?: string): Promise<ModelServing>;
  remove(which: ObjectRef | KubeObject): Promise<void>;

  /** The ModelServing as it is now. Throws if there is none. */
  live(which?: ObjectRef | KubeObject): ModelServing;
  status(which?: ObjectRef | KubeObject): ModelServingStatus;
  /** Pods that carry the name label, in order of name; of all ModelServings where none is given. */
  pods(which?: ObjectRef | KubeObject): readonly Pod[];
  /** Those of one ServingGroup. */
  group(ordinal: number, which?: ObjectRef | KubeObject): readonly Pod[];
  events(reason?: string): readonly Event[];
  /** What the operator has logged, latest last. */
  log(): readonly string[];

  readonly operators: ReadonlyMap<string, RunningOperator>;
  operator(name?: string): RunningOperator;
  startOperator(name?: string): RunningOperator;
  killOperator(plan?: CrashPlan, name?: string): void;
}

/** The user that operators connect as; it stands in the ledger. */
export const operatorUser = 'system:serviceaccount:modelserving-system:modelserving';

const modelServings: Resource<ModelServing> = modelServingResource;

const setUpMs = 60_000;
const defaultUntilMs = 10 * 60_000;
const defaultSettleMs = 2 * 3_600_000;
const keptLogLines = 2000;
const shownLogLines = 8;

const byName = (a: KubeObject, b: KubeObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);
const byVersion = (a: KubeObject, b: KubeObject): number => compareVersions(resourceVersionOf(a), resourceVersionOf(b));

/** Builds the world: cluster, CRD, observer, operator; all of it up and idle when the promise resolves. */
export const createWorld = async (options: WorldOptions = {}): Promise<World> => {
  const machine = createVirtualPlatform(options);
  const { nodes = 3, images = {} } = options;
  const cluster = createCluster({
    platform: machine.process('cluster').platform,
    nodes: typeof nodes === 'number' ? Array.from({ length: nodes }, (_, i) => ({ name: `node-${i}` })) : nodes,
    images,
    podEvents: false,
    ...options.cluster,
  });
  const finish = <T>(work: Promise<T>): Promise<T> => machine.complete(work, { timeoutMs: setUpMs });
  const admin = createClient({ transport: cluster.connect('admin'), platform: machine });
  const user = createClient({ transport: cluster.connect('user'), platform: machine });
  await finish(cluster.start());
  await finish(admin.create(resources.customresourcedefinitions, options.crd ?? modelServingCrd));
  const seen = startObserver(
    createClient({ transport: cluster.connect('observer'), platform: machine }),
    machine,
    modelServings,
  );
  await finish(seen.whenSynced());

  const faults = createDisturbances();
  const operators = new Map<string, RunningOperator>();
  const lines: string[] = [];
  const log = createLog({
    format: 'text',
    level: 'info',
    clock: machine.clock,
    write: (line) => {
      lines.push(line.trimEnd());
      if (lines.length > keptLogLines) lines.shift();
    },
  });
  let launched = 0;
  let latest: ObjectRef | undefined;

  const find = (which?: ObjectRef | KubeObject): ObjectRef => {
    if (which === undefined) {
      if (latest === undefined) throw new TypeError('no ModelServing was applied yet');
      return latest;
    }
    return 'metadata' in which ? refOf(which) : which;
  };

  const live = (which?: ObjectRef | KubeObject): ModelServing => {
    const key = keyOf(find(which));
    const found = seen.modelServings.get(key);
    if (found === undefined) throw new TypeError(`there is no ModelServing ${key}`);
    return found;
  };

  const replace = async (ref: ObjectRef, change: (live: ModelServing) => ModelServing): Promise<ModelServing> => {
    for (;;) {
      const current = await user.get(modelServings, ref);
      try {
        return await user.update(modelServings, change(current));
      } catch (error) {
        if (!isApiError(error, 'conflict')) throw error;
      }
    }
  };

  const apply = async (modelServing: ModelServing): Promise<ModelServing> => {
    latest = refOf(modelServing);
    try {
      return await user.create(modelServings, modelServing);
    } catch (error) {
      if (!isApiError(error, 'already-exists')) throw error;
      return replace(latest, (current) => ({
        ...current,
        metadata: { ...current.metadata, ...modelServing.metadata },
        spec: modelServing.spec,
      }));
    }
  };

  /** Waits until the observer shows a write, so that `live` never answers with something older. */
  const observed = async (work: Promise<ModelServing>): Promise<ModelServing> => {
    const written = await finish(work);
    const isShown = (): boolean => {
      const found = seen.modelServings.get(keyOf(refOf(written)));
      return found !== undefined && byVersion(found, written) >= 0;
    };
    await machine.runUntil(isShown, { timeoutMs: setUpMs });
    return written;
  };

  const operator = (name = 'operator'): RunningOperator => {
    const found = operators.get(name);
    if (found === undefined) throw new TypeError(`no operator ${name} was started`);
    return found;
  };

  const startOperator = (name = 'operator'): RunningOperator => {
    if (operators.get(name)?.process.isAlive() === true) throw new TypeError(`${name} is running`);
    const started = launchOperator({
      machine,
      cluster,
      userName: operatorUser,
      processName: `${name}/${launched++}`,
      logic: options.logic ?? { decide, seePod },
      log,
      disturbances: faults,
      latencyMs: options.latencyMs,
      operatorOptions: options.operator,
      toleratesBugs: options.toleratesBugs,
    });
    operators.set(name, started);
    return started;
  };

  /** A wait that fails says what the operators wait for and what they did last. */
  const explained = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (cause) {
      const waits = [...operators].flatMap(([name, running]) =>
        [...running.operator.waits()].flatMap(([key, list]) =>
          list.map(({ unit, message }) => `${name} ${key} ${unit}: ${message}`),
        ),
      );
      const text = cause instanceof Error ? cause.message : String(cause);
      throw new Error([text, ...waits, ...lines.slice(-shownLogLines)].join('\n  '), { cause });
    }
  };

  const world: World = {
    machine,
    cluster,
    seen,
    ledger: viewLedger(cluster.ledger, operatorUser),
    faults,
    client: user,
    finish,
    run: (ms) => machine.advance(ms),
    until: (predicate, timeoutMs = defaultUntilMs) =>
      explained(machine.runUntil(() => predicate(world), { timeoutMs })),
    settle: (timeoutMs = defaultSettleMs) => explained(machine.runUntil(() => machine.pending() === 0, { timeoutMs })),
    apply: (modelServing) => observed(apply(modelServing)),
    edit: (which, change) => observed(replace(find(which), change)),
    setImage: (which, image, role) => observed(replace(find(which), (current) => withImage(current, image, role))),
    remove: async (which) => {
      await finish(user.delete(modelServings, find(which), { propagationPolicy: 'Background' }));
    },
    live,
    status: (which) => live(which).status ?? {},
    pods: (which) => {
      const name = which === undefined ? undefined : find(which).name;
      const isMeant = ({ metadata }: Pod): boolean => {
        const label = metadata.labels?.[nameLabel];
        return label !== undefined && (name === undefined || name === label);
      };
      return seen.pods.list().filter(isMeant).toSorted(byName);
    },
    group: (ordinal, which) => {
      const { namespace, name } = find(which);
      const prefix = `${name}-${ordinal}-`;
      return seen.pods
        .list()
        .filter((pod) => pod.metadata.namespace === namespace && nameOf(pod).startsWith(prefix))
        .toSorted(byName);
    },
    events: (reason) =>
      seen.events
        .list()
        .filter((event) => reason === undefined || event.reason === reason)
        .toSorted(byVersion),
    log: () => lines,
    operators,
    operator,
    startOperator,
    killOperator: (plan, name) => (plan === undefined ? operator(name).kill() : operator(name).killAround(plan)),
  };
  if (options.startOperator !== false) await finish(startOperator().running);
  return world;
};
