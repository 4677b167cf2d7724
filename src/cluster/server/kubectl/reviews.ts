import type { ServedResource, ServerAnswer, ServerRequest } from '../../server-types.ts';
import type { Page } from '../seam.ts';
import { badRequest, methodNotAllowed } from '../status-error.ts';
import { decodeProtobuf, protobufMediaType } from './protobuf/envelope.ts';

/**
 * Questions a client asks about itself. They are created and answered, never stored. The embedded cluster has no
 * authorization: everybody may do everything, and the answers say so.
 */
interface Review {
  readonly resource: ServedResource;
  readonly status: (request: ServerRequest) => unknown;
}

const review = (group: string, kind: string): ServedResource => ({
  group,
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  listKind: `${kind}List`,
  shortNames: [],
  categories: [],
  namespaced: false,
  verbs: ['create'],
  subresources: [],
});

const everything: readonly string[] = ['*'];

const reviews: readonly Review[] = [
  {
    resource: review('authentication.k8s.io', 'SelfSubjectReview'),
    status: ({ userName }) => ({
      userInfo: { username: userName, groups: ['system:masters', 'system:authenticated'] },
    }),
  },
  {
    resource: review('authorization.k8s.io', 'SelfSubjectAccessReview'),
    status: () => ({ allowed: true, reason: 'the embedded cluster lets everybody do everything' }),
  },
  {
    resource: review('authorization.k8s.io', 'SelfSubjectRulesReview'),
    status: () => ({
      resourceRules: [{ verbs: everything, apiGroups: everything, resources: everything }],
      nonResourceRules: [{ verbs: everything, nonResourceURLs: everything }],
      incomplete: false,
    }),
  },
];

export const reviewResources: readonly ServedResource[] = reviews.map(({ resource }) => resource);

export const reviewPage: Page = (_registry, request): ServerAnswer | undefined => {
  const [root, group, version, plural, ...rest] = request.segments;
  if (root !== 'apis' || version !== 'v1' || rest.length > 0) return undefined;
  const asked = reviews.find(({ resource }) => resource.group === group && resource.plural === plural);
  if (asked === undefined) return undefined;
  if (request.method !== 'POST') throw methodNotAllowed();
  const { resource, status } = asked;
  const question = questionOf(request);
  if (question['kind'] !== undefined && question['kind'] !== resource.kind) {
    throw badRequest(`${String(question['kind'])} cannot be handled as a ${resource.kind}`);
  }
  const metadata = { creationTimestamp: null };
  const body = {
    metadata,
    ...question,
    kind: resource.kind,
    apiVersion: `${resource.group}/v1`,
    status: status(request),
  };
  return { status: 201, body };
};

const questionOf = (request: ServerRequest): Readonly<Record<string, unknown>> => {
  if (request.headers['content-type']?.startsWith(protobufMediaType) === true) return decodeProtobuf(request.body);
  try {
    return JSON.parse(new TextDecoder().decode(request.body));
  } catch (error) {
    if (error instanceof SyntaxError) throw badRequest(`error decoding the body: ${error.message}`);
    throw error;
  }
};
