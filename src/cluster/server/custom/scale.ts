import type { CustomResource, ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { decodeBody, isObject } from '../body.ts';
import type { Core } from '../core.ts';
import { record, valueAt } from '../kinds/fields.ts';
import { resourceOf } from '../kinds/kind.ts';
import { badRequest, conflict, methodNotAllowed, modified, StatusError } from '../status-error.ts';
import type { Target } from '../target.ts';
import { existing } from '../verbs/get.ts';
import { patcherOf } from '../verbs/patch.ts';
import { replaceObject } from '../verbs/replace.ts';
import { writeOptionsOf } from '../verbs/write-options.ts';

type ScalePaths = NonNullable<CustomResource['scale']>;

/** `…/NAME/scale` of a custom kind: its replicas as an autoscaling/v1 Scale. */
export const scale = (core: Core, target: Target, request: ServerRequest, paths: ScalePaths): ServerAnswer => {
  switch (request.method) {
    case 'GET':
      return { status: 200, body: scaleOf(existing(core, target), paths) };
    case 'PUT': {
      const wanted = decodeBody(core, request);
      return write(core, { target, request, paths, want: () => wanted, verb: 'update' });
    }
    case 'PATCH':
      return write(core, { target, request, paths, want: patcherOf(target.kind, request), verb: 'patch' });
    case 'POST':
    case 'DELETE':
      throw methodNotAllowed();
  }
};

interface ScaleWrite {
  readonly target: Target;
  readonly request: ServerRequest;
  readonly paths: ScalePaths;
  readonly verb: 'update' | 'patch';
  /** The Scale that shall be, given the one that is. */
  readonly want: (current: StoredObject) => unknown;
}

const write = (core: Core, { target, request, paths, verb, want }: ScaleWrite): ServerAnswer => {
  const { dryRun } = writeOptionsOf(request, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions');
  const derive = (object: StoredObject): StoredObject => {
    const wanted = want(scaleOf(object, paths));
    if (!isObject(wanted)) throw badRequest('a Scale is an object');
    const { resourceVersion } = record(wanted['metadata']);
    if (resourceVersion && resourceVersion !== object.metadata.resourceVersion) {
      throw conflict(resourceOf(target.kind), target.name ?? '', modified);
    }
    const replicas = record(wanted['spec'])['replicas'] ?? 0;
    if (!Number.isInteger(replicas)) throw badRequest('spec.replicas is not an integer');
    return { ...object, ...record(withValue(object, pathOf(paths.specReplicasPath), replicas)) };
  };
  const result = replaceObject(core, {
    target: { ...target, subresource: undefined },
    request,
    verb,
    dryRun,
    derive,
  });
  return { status: 200, body: scaleOf(result.object, paths) };
};

const scaleOf = (object: StoredObject, paths: ScalePaths): StoredObject => {
  const replicas = valueAt(object, pathOf(paths.specReplicasPath).join('.'));
  if (replicas === undefined) {
    const text = `the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`;
    throw new StatusError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] });
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const status = valueAt(object, pathOf(paths.statusReplicasPath).join('.'));
  const selector = paths.labelSelectorPath && valueAt(object, pathOf(paths.labelSelectorPath).join('.'));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: typeof status === 'number' ? status : 0, ...(selector ? { selector } : {}) },
  };
};

const pathOf = (jsonPath: string): readonly string[] => jsonPath.replace(/^\./, '').split('.');

const withValue = (object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown =>
  name === undefined ? value : { ...record(object), [name]: withValue(record(object)[name], rest, value) };
