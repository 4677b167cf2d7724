import { modelServingResource } from '../api/index.ts';
import { createWatchCache, type KubeClient, type Log, resources } from '../kube/index.ts';
import { isPlainObject, type KubeObject, member } from '../objects/index.ts';
import type { Platform } from '../platform/index.ts';

/** Follows the installed CRD while it is in question. */
export interface CrdWatch {
  /** Does nothing while it runs already. */
  start(): void;
  stop(): void;
}

interface CrdWatchParts {
  readonly client: KubeClient;
  readonly platform: Platform;
  readonly log: Log;
  /** The CRD keeps `units` and `failures`, now. */
  readonly onKept: () => void;
}

/**
 * Tells when the installed CRD has the fields of the milestones. Only an operator that has seen them pruned asks: the
 * CRD is a large object, and the right to read it is not needed otherwise.
 */
export const createCrdWatch = ({ client, platform, log, onKept }: CrdWatchParts): CrdWatch => {
  const name = `${modelServingResource.plural}.${modelServingResource.group}`;
  const resource = resources.customresourcedefinitions;
  let stop: (() => void) | undefined;
  const start = (): void => {
    const cache = createWatchCache({ client, platform, log, resource, fieldSelector: `metadata.name=${name}` });
    cache.onChange(({ type, object }) => {
      if (type !== 'deleted' && hasMilestones(object)) onKept();
    });
    cache.start();
    stop = cache.stop;
  };
  return {
    start: () => {
      if (stop === undefined) start();
    },
    stop: () => {
      stop?.();
      stop = undefined;
    },
  };
};

/** Whether the schema of the served version names both fields in the status. */
export const hasMilestones = (crd: KubeObject): boolean => {
  const versions = at(crd, 'spec', 'versions');
  if (!Array.isArray(versions)) return false;
  const served: unknown = versions.find((version) => at(version, 'name') === modelServingResource.version);
  const fields = at(served, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
  return at(fields, 'units') !== undefined && at(fields, 'failures') !== undefined;
};

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isPlainObject(inner) ? member(inner, key) : undefined), value);
