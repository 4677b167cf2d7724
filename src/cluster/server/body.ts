import type { ServerRequest, StoredObject } from '../server-types.ts';
import type { Core } from './core.ts';
import { apiVersionOf, type Kind } from './kinds/kind.ts';
import { badRequest, StatusError } from './status-error.ts';

/** The media type of a request's body, without parameters; JSON where none is named. */
export const contentTypeOf = (request: ServerRequest): string =>
  (request.headers['content-type'] ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The JSON value in a body. Throws 415 for a content type nobody decodes and 400 for a body that does not decode. */
export const decodeBody = (core: Pick<Core, 'extensions'>, request: ServerRequest): unknown => {
  const contentType = contentTypeOf(request);
  if (contentType === 'application/json' || contentType === '') return parseJson(request.body);
  const decode = core.extensions.decoders?.[contentType];
  if (decode === undefined) {
    const known = ['application/json', ...Object.keys(core.extensions.decoders ?? {})];
    throw new StatusError(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format - accepted media types include: ${known.join(', ')}`,
    );
  }
  try {
    return decode(request.body);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
};

export const parseJson = (body: Uint8Array): unknown => {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : String(error)}`);
  }
};

/** The object in a body, of the kind the path asks for. Its `apiVersion` and `kind` may be left out. */
export const decodeObject = (core: Pick<Core, 'extensions'>, request: ServerRequest, kind: Kind): StoredObject => {
  const value = decodeBody(core, request);
  if (!isObject(value)) throw badRequest('the object provided is unrecognized (must be of type object)');
  const { apiVersion = apiVersionOf(kind), kind: name = kind.kind } = value;
  checkKind(kind, String(apiVersion), String(name));
  const { metadata } = value;
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: metadata is not an object`,
    );
  }
  const object = {
    ...value,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: withoutNulls(metadata ?? {}),
  };
  return kind.strategy.raw?.fromBody(object, new TextDecoder().decode(request.body)) ?? object;
};

const checkKind = (kind: Kind, apiVersion: string, name: string): void => {
  if (name === kind.kind && apiVersion === apiVersionOf(kind)) return;
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (kind.custom !== undefined && apiVersion !== apiVersionOf(kind)) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(kind)})`,
    );
  }
  const internal = kind.group === '' ? 'core' : (kind.group.split('.', 1)[0] ?? kind.group);
  throw badRequest(
    `${name} in version "${version}" cannot be handled as a ${kind.kind}: converting (${version}.${name}) to (${internal}.${kind.kind}): unknown conversion`,
  );
};

const withoutNulls = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
