import { isPlainObject, type KubeObject } from '../../../../objects/index.ts';
import type { ServedResource, ServerRequest } from '../../../server-types.ts';
import type { ChooseRendering, Rendering } from '../../seam.ts';
import { badRequest, StatusError } from '../../status-error.ts';
import { acceptsJson, type MediaRange, parseAccept } from '../accept.ts';
import { partialMetadata } from './partial-metadata.ts';
import { type IncludeObject, tableOf } from './table.ts';

/**
 * The shape a client asks for: objects as they are, rows of a Table (`kubectl get`), or metadata alone (metadata
 * informers). The first clause of Accept that can be served wins; protobuf never can, and clients that ask for it list
 * JSON behind it. Throws 406 where nothing fits.
 */
export const chooseRendering =
  (nowMs: () => number): ChooseRendering =>
  (request, resource) => {
    for (const range of parseAccept(request.headers['accept'])) {
      if (!acceptsJson(range)) continue;
      if (range.parameters['as'] === undefined) return undefined;
      const rendering = renderingAs(range, request, resource, nowMs);
      if (rendering !== undefined) return rendering;
    }
    throw new StatusError(406, 'NotAcceptable', 'only the following media types are accepted: application/json');
  };

const renderingAs = (
  { parameters }: MediaRange,
  request: ServerRequest,
  resource: ServedResource,
  nowMs: () => number,
): Rendering | undefined => {
  const { as, v: version = '', g: group } = parameters;
  if (group !== 'meta.k8s.io' || !['v1', 'v1beta1'].includes(version)) return undefined;
  switch (as) {
    case 'Table':
      return tableRendering({ resource, version, nowMs, include: includeOf(request) });
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return metadataRendering(resource, `meta.k8s.io/${version}`);
    default:
      return undefined;
  }
};

const includeOf = (request: ServerRequest): IncludeObject => {
  const include = request.query.get('includeObject') || 'Metadata';
  if (include === 'None' || include === 'Metadata' || include === 'Object') return include;
  throw badRequest(`unrecognized includeObject value: "${include}"`);
};

/** A Status stays a Status, whatever shape was asked for. */
const render =
  (resource: ServedResource, shape: (items: readonly KubeObject[], list: List) => unknown) =>
  (body: unknown): unknown => {
    if (!isPlainObject(body) || body['kind'] === 'Status') return body;
    const { items, metadata } = body;
    if (!Array.isArray(items))
      return shape([withKind(resource, body)], { isList: false, metadata: versionOnly(metadata) });
    return shape(
      items.filter(isPlainObject).map((item) => withKind(resource, item)),
      { isList: true, metadata: isPlainObject(metadata) ? metadata : {} },
    );
  };

interface List {
  readonly isList: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Items of a list carry no kind of their own. */
const withKind = (resource: ServedResource, item: Readonly<Record<string, unknown>>): KubeObject => ({
  kind: resource.kind,
  apiVersion: resource.group === '' ? resource.version : `${resource.group}/${resource.version}`,
  ...item,
  metadata: isPlainObject(item['metadata']) ? item['metadata'] : {},
});

const versionOnly = (metadata: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(metadata) && metadata['resourceVersion'] !== undefined
    ? { resourceVersion: metadata['resourceVersion'] }
    : {};

const tableRendering = (options: {
  readonly resource: ServedResource;
  readonly version: string;
  readonly nowMs: () => number;
  readonly include: IncludeObject;
}): Rendering => {
  const { resource, version, nowMs, include } = options;
  const shape = (withColumns: boolean): ((body: unknown) => unknown) =>
    render(resource, (items, { metadata }) =>
      tableOf({ resource, version, include, items, metadata, withColumns, nowMs: nowMs() }),
    );
  return {
    contentType: 'application/json',
    answer: shape(true),
    event: (object, first) => shape(first)(object),
  };
};

const metadataRendering = (resource: ServedResource, apiVersion: string): Rendering => {
  const shape = render(resource, (items, { isList, metadata }) => {
    const reduced = items.map((item) => partialMetadata(item, apiVersion));
    return isList ? { kind: 'PartialObjectMetadataList', apiVersion, metadata, items: reduced } : reduced[0];
  });
  return { contentType: 'application/json', answer: shape, event: (object) => shape(object) };
};
