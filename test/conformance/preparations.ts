import type { Exchange } from './replay.ts';

/** What happened on the recorded server between two recorded exchanges; each shows in versions, times or answers. */
export interface Preparation {
  readonly passMs: number;
  readonly requests: readonly Exchange['request'][];
}

const post = (path: string, body: unknown): Exchange['request'] => ({ method: 'POST', path, body });
const configMap = (name: string, metadata: unknown, data?: unknown): Exchange['request'] =>
  post('/api/v1/namespaces/rec/configmaps', { metadata: { name, ...Object(metadata) }, ...(data ? { data } : {}) });
const otherWrite = (name: string): Exchange['request'] =>
  post('/api/v1/namespaces/default/configmaps', { metadata: { name } });

const containers = [
  { name: 'c', image: 'engine:v1' },
  { name: 'side', image: 'side:v1' },
];
const modelServing = {
  metadata: { name: 'm5' },
  spec: {
    replicas: 2,
    template: {
      roles: [
        {
          name: 'prefill',
          workerReplicas: 0,
          entryTemplate: {
            spec: { containers: [{ name: 'engine', image: 'engine:v1', ports: [{ containerPort: 8000 }] }] },
          },
        },
      ],
    },
  },
};

/** By the note of the exchange that follows. */
const between: Readonly<Record<string, Partial<Preparation>>> = {
  'delete an unbound Pod: gone at once': {
    requests: [
      post('/api/v1/namespaces/rec/pods', {
        metadata: { name: 'p4' },
        spec: { automountServiceAccountToken: false, schedulerName: 'nobody', containers },
      }),
    ],
  },
  'delete an object with a finalizer': {
    requests: [configMap('f', { finalizers: ['example.com/hold'] }, { a: '1' })],
  },
  'PUT without resourceVersion: allowed here': { requests: [configMap('u', {}, { a: '1' })] },
  'Table of the kind': { passMs: 1000 },
  'delete: foreground': {
    requests: [post('/apis/workload.serving.volcano.sh/v1alpha1/namespaces/rec/modelservings', modelServing)],
  },
  'list with a selector': {
    requests: [0, 1, 2, 3, 4].map((n) => configMap(`l${n}`, { labels: { n: String(n % 2) } })),
  },
  // Controllers of the recorded control plane wrote something of their own.
  'resourceVersion from the future': { requests: [otherWrite('other-1')] },
  'WatchList: initial events, then a bookmark': { requests: [otherWrite('other-2')] },
};

export const preparations = (note: string): Preparation => ({
  passMs: between[note]?.passMs ?? 0,
  requests: between[note]?.requests ?? [],
});
