import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../deep-freeze.ts';
import { jsonEqual } from '../equal.ts';
import type { PlainObject } from '../plain-object.ts';
import { podTemplateMeaning } from './pod-template-meaning.ts';

const same = (a: PlainObject, b: PlainObject): boolean =>
  jsonEqual(podTemplateMeaning(deepFreeze(a)), podTemplateMeaning(deepFreeze(b)));

const pod = (spec: PlainObject, container: PlainObject = {}): PlainObject => ({
  spec: { containers: [{ name: 'engine', image: 'engine:v1', ...container }], ...spec },
});

describe('the meaning of a Pod template', () => {
  it.each<[string, PlainObject, PlainObject]>([
    ['restartPolicy', {}, { restartPolicy: 'Always' }],
    ['terminationGracePeriodSeconds', {}, { terminationGracePeriodSeconds: 30 }],
    ['dnsPolicy', {}, { dnsPolicy: 'ClusterFirst' }],
    ['securityContext', {}, { securityContext: {} }],
    ['affinity', {}, { affinity: { nodeAffinity: {} } }],
    ['hostNetwork', {}, { hostNetwork: false }],
    ['an empty list', {}, { imagePullSecrets: [] }],
    ['null', {}, { tolerations: null }],
    ['the service account', {}, { serviceAccountName: 'default' }],
    ['the old name of the service account', { serviceAccountName: 'x' }, { serviceAccount: 'x' }],
    ['a volume without a source', { volumes: [{ name: 'v' }] }, { volumes: [{ name: 'v', emptyDir: {} }] }],
    [
      'the mode of files',
      { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
      { volumes: [{ name: 'v', secret: { secretName: 's', defaultMode: 420, optional: false } }] },
    ],
    [
      'the pull policy of an image volume',
      { volumes: [{ name: 'v', image: { reference: 'model:v1' } }] },
      { volumes: [{ name: 'v', image: { reference: 'model:v1', pullPolicy: 'IfNotPresent' } }] },
    ],
  ])('is the same with and without %s', (_, a, b) => {
    expect(same(pod(a), pod(b))).toBe(true);
  });

  it.each<[string, PlainObject, PlainObject]>([
    ['the pull policy', {}, { imagePullPolicy: 'IfNotPresent' }],
    ['quantities', { resources: { limits: { memory: '1Gi' } } }, { resources: { limits: { memory: '1073741824' } } }],
    ['quantities as numbers', { resources: { limits: { cpu: 2 } } }, { resources: { limits: { cpu: '2000m' } } }],
    [
      'requests that limits imply',
      { resources: { limits: { cpu: '2' } } },
      { resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } },
    ],
    [
      'the protocol',
      { ports: [{ containerPort: 1 }] },
      { ports: [{ containerPort: 1, protocol: 'TCP', hostPort: 0 }] },
    ],
    ['an empty value', { env: [{ name: 'A' }] }, { env: [{ name: 'A', value: '' }] }],
    [
      'the version of a field reference',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x' } } }] },
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'x', apiVersion: 'v1' } } }] },
    ],
    [
      'the defaults of a probe',
      { readinessProbe: { httpGet: { port: 80 } } },
      {
        readinessProbe: {
          httpGet: { port: 80, scheme: 'HTTP', path: '/' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
          initialDelaySeconds: 0,
        },
      },
    ],
    [
      'the termination message',
      {},
      { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
    ],
    ['an empty security context', {}, { securityContext: { privileged: false } }],
  ])('is the same for both spellings of %s in a container', (_, a, b) => {
    expect(same(pod({}, a), pod({}, b))).toBe(true);
    expect(
      same({ spec: { initContainers: [{ name: 'i', ...a }] } }, { spec: { initContainers: [{ name: 'i', ...b }] } }),
    ).toBe(true);
  });

  it.each<[string, PlainObject, PlainObject]>([
    ['a grace period of zero', {}, { terminationGracePeriodSeconds: 0 }],
    ['a volume that exists', {}, { volumes: [{ name: 'v', emptyDir: {} }] }],
    ['service links', {}, { enableServiceLinks: false }],
    ['users of the host', {}, { hostUsers: false }],
    ['a token that is not mounted', {}, { automountServiceAccountToken: false }],
    [
      'a selector that selects all',
      { topologySpreadConstraints: [{ labelSelector: {} }] },
      { topologySpreadConstraints: [{}] },
    ],
    ['the value of a node selector', { nodeSelector: { gpu: '' } }, { nodeSelector: {} }],
  ])('differs by %s', (_, a, b) => {
    expect(same(pod(a), pod(b))).toBe(false);
  });

  it.each<[string, PlainObject, PlainObject]>([
    [
      'quantities of another size',
      { resources: { limits: { memory: '1Gi' } } },
      { resources: { limits: { memory: '1G' } } },
    ],
    ['privilege escalation', {}, { securityContext: { allowPrivilegeEscalation: false } }],
    ['an empty argument', { args: [''] }, { args: [] }],
    ['the order of env', { env: [{ name: 'A' }, { name: 'B' }] }, { env: [{ name: 'B' }, { name: 'A' }] }],
    ['a pull policy against the default', {}, { imagePullPolicy: 'Always' }],
  ])('differs by %s in a container', (_, a, b) => {
    expect(same(pod({}, a), pod({}, b))).toBe(false);
  });

  it('differs by a label whose value is empty', () => {
    expect(same({ metadata: { labels: { a: '' } } }, { metadata: { labels: {} } })).toBe(false);
    expect(same({ metadata: { labels: {} } }, {})).toBe(true);
  });

  it('knows that a host network implies the host port', () => {
    const port = (more: PlainObject): PlainObject => ({ ports: [{ containerPort: 80, ...more }] });
    expect(same(pod({ hostNetwork: true }, port({})), pod({ hostNetwork: true }, port({ hostPort: 80 })))).toBe(true);
    expect(same(pod({}, port({})), pod({}, port({ hostPort: 80 })))).toBe(false);
  });

  it('keeps the effective pull policy of every container', () => {
    expect(
      podTemplateMeaning({
        spec: {
          containers: [
            { name: 'a', image: 'a' },
            { name: 'b', image: 'b:v1' },
          ],
        },
      }),
    ).toEqual({
      spec: {
        containers: [
          { name: 'a', image: 'a', imagePullPolicy: 'Always' },
          { name: 'b', image: 'b:v1', imagePullPolicy: 'IfNotPresent' },
        ],
      },
    });
  });

  it('stands still, and takes anything for a template without a throw', () => {
    const noise = fc.dictionary(fc.constantFrom('metadata', 'spec', 'x'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(noise, (template) => {
        const meaning = podTemplateMeaning(template as PlainObject);
        expect(podTemplateMeaning(meaning)).toEqual(meaning);
      }),
    );
  });
});
