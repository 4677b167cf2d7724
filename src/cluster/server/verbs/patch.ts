import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  builtinSchema,
  mergeSchemaOf,
  PatchError,
  parseJsonPatch,
} from '../../../objects/index.ts';
import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import { contentTypeOf, isObject, parseJson } from '../body.ts';
import type { Core } from '../core.ts';
import { invalidValue } from '../field-error.ts';
import { type Kind, served } from '../kinds/kind.ts';
import { withMetadata } from '../kinds/metadata.ts';
import { badRequest, invalid, notImplemented, StatusError } from '../status-error.ts';
import type { Target } from '../target.ts';
import { replaceObject } from './replace.ts';
import { type Shaped, shape } from './shape.ts';
import { type WriteOptions, writeOptionsOf } from './write-options.ts';

/** PATCH of an object, or of its `status`. */
export const patch = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  const { kind } = target;
  if (target.name === undefined) throw badRequest('name must be provided');
  const apply = patcherOf(kind, request);
  const options = writeOptionsOf(request, 'PatchOptions');
  let warnings: readonly string[] = [];
  const derive = (previous: StoredObject): StoredObject => {
    const patched = asObject(kind, target, apply(served(kind, previous)));
    const encoded = kind.strategy.raw?.afterPatch(patched, isStrategic(request) ? 'strategic' : 'other') ?? patched;
    const shaped = shapePatched(kind, encoded, options.fieldValidation);
    warnings = shaped.warnings;
    return kind.conversion?.toStored(shaped.object) ?? shaped.object;
  };
  const result = replaceObject(core, { target, request, verb: 'patch', dryRun: options.dryRun, derive });
  return answerWith(core, request, {
    kind,
    status: 200,
    body: served(kind, result.object),
    warnings: [...warnings, ...result.warnings],
  });
};

/** A patch that makes the object unreadable is itself invalid, and shown with what it made. */
const shapePatched = (kind: Kind, object: StoredObject, validation: WriteOptions['fieldValidation']): Shaped => {
  try {
    return shape(kind, object, validation);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const why = error.message.slice(error.message.indexOf(': ') + 2);
    throw invalid({ group: '', name: '' }, '', [invalidValue('patch', JSON.stringify(object), why)]);
  }
};

const isStrategic = (request: ServerRequest): boolean =>
  contentTypeOf(request) === 'application/strategic-merge-patch+json';

/** What the request's body does to an object, by its content type. Throws 415 for one that this kind does not take. */
export const patcherOf = (kind: Kind, request: ServerRequest): ((object: StoredObject) => unknown) => {
  const contentType = contentTypeOf(request);
  const body = (): unknown => parseJson(request.body);
  switch (contentType) {
    case 'application/json-patch+json':
      return guarded((object) => applyJsonPatch(object, parseJsonPatch(body())));
    case 'application/merge-patch+json':
      return (object) => applyMergePatch(object, mapping(body()));
    case 'application/strategic-merge-patch+json':
      if (kind.schemaName === undefined) break;
      return guarded((object) =>
        applyStrategicMergePatch(object, mapping(body()), mergeSchemaOf(builtinSchema(kind.schemaName ?? ''))),
      );
    case 'application/apply-patch+yaml':
    case 'application/apply-patch+cbor':
      throw notImplemented('server-side apply');
  }
  // Built-in kinds are refused by the router, which says little; custom ones by the handler, which says more.
  throw kind.custom === undefined
    ? new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})
    : new StatusError(
        415,
        'UnsupportedMediaType',
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      );
};

const guarded =
  (apply: (object: StoredObject) => unknown) =>
  (object: StoredObject): unknown => {
    try {
      return apply(object);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      if (error.problem === 'malformed') throw badRequest(error.message);
      // All that a real server says of a test that fails or a path that is not there.
      throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    }
  };

const mapping = (value: unknown): Readonly<Record<string, unknown>> => {
  if (isObject(value)) return value;
  throw badRequest(
    `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type map[string]interface {}`,
  );
};

const asObject = (kind: Kind, target: Target, value: unknown): StoredObject => {
  if (!isObject(value) || !isObject(value['metadata'])) throw badRequest(`the patched object is no ${kind.kind}`);
  const object = { ...value, metadata: value['metadata'] } as StoredObject;
  if (object.metadata.name !== target.name) {
    throw badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${target.name})`,
    );
  }
  return withMetadata(object, { namespace: target.namespace });
};
