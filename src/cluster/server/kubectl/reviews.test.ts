import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aRequest, registryOf } from '../../../../test/support/page-requests.ts';
import { reviewPage } from './reviews.ts';

const bodies: readonly { readonly body: string; readonly object: { readonly kind: string } }[] = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/kubernetes/protobuf-bodies.json', import.meta.url), 'utf8'),
);
const ask = (path: string, more: Parameters<typeof aRequest>[2] = { body: '{}' }): unknown =>
  reviewPage(registryOf(), aRequest('POST', path, more));

describe('questions about oneself', () => {
  it('may be asked in protobuf, as kubectl auth can-i does', () => {
    const sent = bodies.find(({ object }) => object.kind === 'SelfSubjectAccessReview');
    const answer = ask('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: Buffer.from(sent?.body ?? '', 'base64'),
    });
    expect(answer).toMatchObject({
      status: 201,
      body: { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } }, status: { allowed: true } },
    });
  });

  it('name the user who asks', () => {
    expect(ask('/apis/authentication.k8s.io/v1/selfsubjectreviews')).toMatchObject({
      body: { kind: 'SelfSubjectReview', status: { userInfo: { username: 'somebody' } } },
    });
  });

  it('are created and nothing else', () => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    expect(ask(path)).toMatchObject({ body: { status: { resourceRules: [{ verbs: ['*'] }] } } });
    expect(() => reviewPage(registryOf(), aRequest('GET', path))).toThrow('does not allow this method');
    expect(() => ask(path, { body: '{' })).toThrow('error decoding the body');
    expect(() => ask(path, { body: '{"kind":"Pod"}' })).toThrow('Pod cannot be handled');
    expect(ask('/apis/authorization.k8s.io/v1/subjectaccessreviews')).toBeUndefined();
  });
});
