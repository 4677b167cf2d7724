import { keyOf } from '../../../objects/index.ts';
import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith, renderingFor } from '../answer.ts';
import type { Core } from '../core.ts';
import { apiVersionOf, type Kind, served } from '../kinds/kind.ts';
import { expired } from '../status-error.ts';
import type { Target } from '../target.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { checkListOptions, hasSelector, matcherOf } from './list-options.ts';
import { revisionAsked } from './revision.ts';
import { wholeNumber } from './write-options.ts';

/** GET of a collection. */
export const list = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  checkListOptions(request);
  const matches = matcherOf(target, request);
  const page = read(core, target, request);
  const items = page.objects.filter(matches);
  const shown = page.limit === undefined ? items : items.slice(0, page.limit);
  const last = shown.at(-1);
  const left = items.length - shown.length;
  const metadata = {
    resourceVersion: String(page.revision),
    ...(left > 0 && last !== undefined
      ? { continue: encodeContinue({ revision: page.revision, after: keyOf(keyedBy(last)) }) }
      : saysNoMore(core, target, request)),
    // Only known where nothing is filtered (ListMeta).
    ...(left > 0 && !hasSelector(request) ? { remainingItemCount: left } : {}),
  };
  return answerWith(core, request, {
    kind: target.kind,
    status: 200,
    body: listOf(target.kind, metadata, shown),
  });
};

/** A list of custom objects (UnstructuredList) says that there is no next page; one of a built-in kind leaves it out. */
const saysNoMore = (core: Core, { kind }: Target, request: ServerRequest): { readonly continue?: '' } =>
  kind.custom !== undefined && renderingFor(core, request, kind) === undefined ? { continue: '' } : {};

/** A list as it is served. Items of built-in kinds do not repeat their kind; custom ones do. */
export const listOf = (
  kind: Kind,
  metadata: Readonly<Record<string, unknown>>,
  objects: readonly StoredObject[],
): Readonly<Record<string, unknown>> => ({
  kind: kind.listKind,
  apiVersion: apiVersionOf(kind),
  metadata,
  items: objects.map((object) => (kind.custom === undefined ? bare(served(kind, object)) : served(kind, object))),
});

const bare = (object: StoredObject): Readonly<Record<string, unknown>> => {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
};

interface Page {
  readonly objects: readonly StoredObject[];
  readonly revision: number;
  readonly limit: number | undefined;
}

const read = (core: Core, { kind }: Target, request: ServerRequest): Page => {
  const limit = wholeNumber(request, 'limit') || undefined;
  const token = request.query.get('continue') ?? '';
  if (token !== '') {
    const { revision, after } = decodeContinue(token);
    const objects = core.store.listAt(kind.storage, revision);
    if (objects === undefined) throw expired(continueExpired);
    return { objects: objects.filter((object) => keyOf(keyedBy(object)) > after), revision, limit };
  }
  const asked = revisionAsked(core, request);
  if (asked === 0) return { ...cached(core, kind), limit: undefined };
  const match = request.query.get('resourceVersionMatch') ?? '';
  // A version with a limit and no match means exactly this version, for old clients.
  if (asked !== undefined && (match === 'Exact' || (match === '' && limit !== undefined))) {
    const objects = core.store.listAt(kind.storage, asked);
    if (objects === undefined) throw expired('The resourceVersion for the provided list is too old.');
    return { objects, revision: asked, limit };
  }
  return { objects: core.store.list(kind.storage), revision: core.store.revision(), limit };
};

/** What a cache of the server holds, which knows no pages and may be behind. */
const cached = (core: Core, kind: Kind): Pick<Page, 'objects' | 'revision'> => {
  const stale = core.staleRevision();
  const past = stale === undefined ? undefined : core.store.listAt(kind.storage, stale);
  return past === undefined || stale === undefined
    ? { objects: core.store.list(kind.storage), revision: core.store.revision() }
    : { objects: past, revision: stale };
};

const keyedBy = ({ metadata }: StoredObject): { namespace: string | undefined; name: string } => ({
  namespace: metadata.namespace,
  name: metadata.name ?? '',
});

const continueExpired =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
