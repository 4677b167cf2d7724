import {
  createWatchCache,
  isApiError,
  type KubeClient,
  type Log,
  type Resource,
  resources,
  type WatchCache,
  type WatchCacheOptions,
} from '../kube/index.ts';
import {
  type CustomResourceDefinition,
  isTerminating,
  jsonEqual,
  type KubeObject,
  type Schema,
  uidOf,
} from '../objects/index.ts';

/**
 * A cache of a kind that the cluster may have or not, as it may change while the operator runs: the CRD is watched, and
 * the kind is while the CRD is there. Without it, it is an empty cache.
 */
export interface OptionalCache<T extends KubeObject>
  extends Pick<WatchCache<T>, 'get' | 'list' | 'byIndex' | 'observeWritten' | 'observeDeleted' | 'onChange'> {
  /**
   * Finds out whether the kind is there, so that nothing is decided before. No right to read the CRD counts as not
   * there, until the watch tells otherwise.
   *
   * @throws ApiError where the API server cannot be asked
   */
  learn(): Promise<void>;
  start(): void;
  stop(): void;
  /** The schema of the served version; undefined where the kind is not there. */
  schema(): Schema | undefined;
  /** The kind is there, and everything of it is known. */
  hasSynced(): boolean;
  /** Called when the kind comes, is known, changes its schema or goes. */
  onAvailability(handler: () => void): void;
}

export interface OptionalCacheOptions<T extends KubeObject> extends WatchCacheOptions<T> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly log: Log;
}

interface Installed<T extends KubeObject> {
  readonly crdUid: string;
  readonly schema: Schema;
  readonly cache: WatchCache<T>;
}

export const createOptionalCache = <T extends KubeObject>(options: OptionalCacheOptions<T>): OptionalCache<T> => {
  const { client, platform, log, resource } = options;
  const crdName = `${resource.plural}.${resource.group}`;
  const crds = createWatchCache({
    client,
    platform,
    log,
    resource: resources.customresourcedefinitions,
    fieldSelector: `metadata.name=${crdName}`,
  });
  const changeHandlers: Parameters<WatchCache<T>['onChange']>[0][] = [];
  const availabilityHandlers: (() => void)[] = [];
  let state: 'new' | 'running' | 'stopped' = 'new';
  let installed: Installed<T> | undefined;

  const tell = (): void => {
    for (const handler of availabilityHandlers) handler();
  };

  const close = (): void => {
    installed?.cache.stop();
    installed = undefined;
  };

  const open = (crdUid: string, schema: Schema): void => {
    const cache = createWatchCache(options);
    for (const handler of changeHandlers) cache.onChange(handler);
    installed = { crdUid, schema, cache };
    cache.start();
    void cache.whenSynced().then(() => {
      if (installed?.cache === cache) tell();
    });
  };

  const follow = (crd: CustomResourceDefinition | undefined): void => {
    if (state === 'stopped') return;
    const schema = crd === undefined ? undefined : servedSchema(crd, resource.version);
    const before = installed;
    if (crd === undefined || schema === undefined) {
      if (before === undefined) return;
      log.info({ crd: crdName }, `${resource.kind} is not there any more: ${crdName} was removed`);
      close();
      tell();
      return;
    }
    if (before?.crdUid === uidOf(crd)) {
      if (jsonEqual(before.schema, schema)) return;
      installed = { ...before, schema };
      tell();
      return;
    }
    log.info({ crd: crdName }, `${resource.kind} is there: ${crdName} is installed`);
    close();
    open(uidOf(crd), schema);
    tell();
  };

  crds.onChange(() => follow(crds.get(crdName)));

  return {
    learn: async () => {
      const crd = await readCrd(client, crdName, log);
      // What the watch tells meanwhile is newer.
      if (!crds.hasSynced()) follow(crd);
    },
    start: () => {
      state = 'running';
      crds.start();
    },
    stop: () => {
      state = 'stopped';
      crds.stop();
      installed?.cache.stop();
    },
    schema: () => installed?.schema,
    hasSynced: () => installed?.cache.hasSynced() === true,
    get: (key) => installed?.cache.get(key),
    list: () => installed?.cache.list() ?? [],
    byIndex: (index, value) => installed?.cache.byIndex(index, value) ?? [],
    observeWritten: (object) => installed?.cache.observeWritten(object),
    observeDeleted: (key, uid, answer) => installed?.cache.observeDeleted(key, uid, answer),
    onChange: (handler) => {
      changeHandlers.push(handler);
      const cancel = installed?.cache.onChange(handler);
      return () => {
        changeHandlers.splice(changeHandlers.indexOf(handler), 1);
        cancel?.();
      };
    },
    onAvailability: (handler) => {
      availabilityHandlers.push(handler);
    },
  };
};

const readCrd = async (client: KubeClient, name: string, log: Log): Promise<CustomResourceDefinition | undefined> => {
  try {
    return await client.get(resources.customresourcedefinitions, { name });
  } catch (err) {
    if (isApiError(err, 'not-found')) return undefined;
    if (!isApiError(err, 'forbidden')) throw err;
    log.warn({ err, crd: name }, `whether ${name} is installed may not be read, so it counts as not installed`);
    return undefined;
  }
};

/** The schema of a version that the API server serves now. */
export const servedSchema = (crd: CustomResourceDefinition, version: string): Schema | undefined => {
  const isEstablished = crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  if (isTerminating(crd) || isEstablished !== true) return undefined;
  const served = crd.spec.versions.find((it) => it.name === version && it.served);
  // A CRD is made of the same schemas, only typed for every field that Kubernetes knows.
  return served === undefined ? undefined : ((served.schema?.openAPIV3Schema ?? anything) as Schema);
};

const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };
