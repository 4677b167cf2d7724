import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../../status-error.ts';
import { decodeProtobuf } from './envelope.ts';

interface RecordedBody {
  readonly from: string;
  readonly path: string;
  readonly body: string;
  readonly object: { readonly kind: string; readonly apiVersion: string };
}

const recorded: readonly RecordedBody[] = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/kubernetes/protobuf-bodies.json', import.meta.url), 'utf8'),
);

const bytes = (body: string): Uint8Array => Buffer.from(body, 'base64');
const ofKind = (kind: string): readonly RecordedBody[] => recorded.filter(({ object }) => object.kind === kind);
const first = (kind: string): Uint8Array => bytes(ofKind(kind)[0]?.body ?? '');

/** Go writes empty structs and null times into JSON, the decoder an object of what is set. */
const meaning = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(meaning);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, field]) => [key, meaning(field)] as const)
    .filter(([, field]) => field !== null && field !== false && field !== undefined && JSON.stringify(field) !== '{}');
  return Object.fromEntries(entries);
};

const refusal = (read: () => unknown): StatusError => {
  try {
    read();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('it was read');
};

describe('protobuf bodies of Go clients', () => {
  const readable = [
    'Namespace',
    'ConfigMap',
    'Secret',
    'ServiceAccount',
    'Service',
    'Event',
    'Lease',
    'PodDisruptionBudget',
    'Eviction',
    'DeleteOptions',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SelfSubjectReview',
  ];

  it.each(readable)('reads %s as Go itself reads it', (kind) => {
    const bodies = ofKind(kind);
    expect(bodies).not.toEqual([]);
    for (const { body, object } of bodies) expect(meaning(decodeProtobuf(bytes(body)))).toEqual(meaning(object));
  });

  it('keeps a zero that a pointer holds and drops one that is only a Go zero value', () => {
    const eviction = decodeProtobuf(first('Eviction'));
    expect(eviction['deleteOptions']).toMatchObject({ gracePeriodSeconds: 0 });
    expect(eviction['metadata']).not.toHaveProperty('generation');
  });

  it('names the kind it cannot read, and says what to do', () => {
    const error = refusal(() => decodeProtobuf(first('Deployment')));
    expect(error.code).toBe(415);
    expect(error.message).toContain('Deployment (apps/v1)');
    expect(error.message).toContain('apply it from a manifest');
  });

  it('refuses bytes without the prefix and bytes that end early with 400', () => {
    expect(refusal(() => decodeProtobuf(new TextEncoder().encode('{"kind":"Pod"}'))).code).toBe(400);
    const whole = first('Service');
    expect(refusal(() => decodeProtobuf(whole.subarray(0, whole.length - 3))).code).toBe(400);
  });
});
