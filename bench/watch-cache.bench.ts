// How fast a watch cache takes in 10,000 Pods and 50,000 changes over a real socket, and what a Pod costs in memory.
// The server runs in a process of its own and writes prepared bytes, so that what is measured is the cache.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, createWatchCache, resources } from '../src/kube/index.ts';
import type { Pod } from '../src/objects/index.ts';
import { nodePlatform, nodeTransport } from '../src/platform/index.ts';

const pods = 10_000;
const changes = 50_000;
const groups = 500;

/** A Pod of an inference engine as the API server shows it: about 8 kB, nearly half of it managedFields. */
const aPod = (index: number, resourceVersion: number): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `llama-${index}`,
    namespace: 'inference',
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(resourceVersion),
    labels: { 'modelserving.volcano.sh/name': 'llama', group: `llama-${index % groups}` },
    managedFields: Array.from({ length: 4 }, (_, i) => ({
      manager: `manager-${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`f:field-${k}`, { '.': {}, 'f:value': {} }])),
    })),
  },
  spec: {
    nodeName: `node-${index % 100}`,
    containers: Array.from({ length: 2 }, (_, i) => ({
      name: `container-${i}`,
      image: `registry.example/engine:${resourceVersion}`,
      command: ['python', '-m', 'serve', '--model', '/models/llama', '--tensor-parallel-size', '8'],
      env: Array.from({ length: 12 }, (_, k) => ({ name: `VARIABLE_${k}`, value: `value-of-${k}` })),
      resources: { limits: { cpu: '16', memory: '128Gi', 'nvidia.com/gpu': '8' } },
      volumeMounts: Array.from({ length: 4 }, (_, k) => ({ name: `volume-${k}`, mountPath: `/mnt/volume-${k}` })),
    })),
  },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
  },
});

const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;

const endOfList = line('BOOKMARK', {
  metadata: { resourceVersion: String(pods), annotations: { 'k8s.io/initial-events-end': 'true' } },
});

/** Sends the list at once and the changes when told to. */
const serve = (): void => {
  const list = Array.from({ length: pods }, (_, i) => line('ADDED', aPod(i, i + 1)));
  const events = Array.from({ length: changes }, (_, i) => line('MODIFIED', aPod(i % pods, pods + 1 + i)));
  const server = createServer((_, response) => {
    response.write(list.join('') + endOfList);
    process.once('message', () => response.write(events.join('')));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
};

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const liveHeap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const measure = async (): Promise<void> => {
  const server = fork(fileURLToPath(import.meta.url), ['serve']);
  const port = await new Promise<number>((resolve) => server.once('message', (message) => resolve(Number(message))));
  const platform = nodePlatform();
  const transport = nodeTransport({ server: `http://127.0.0.1:${port}` });
  const cache = createWatchCache({
    client: createClient({ transport, platform }),
    platform,
    resource: resources.pods,
    indexers: {
      group: (pod: Pod) => [pod.metadata.labels?.['group'] ?? ''],
      node: (pod: Pod) => [pod.spec?.nodeName ?? ''],
    },
  });
  const before = liveHeap();
  const startedAt = performance.now();
  cache.start();
  await cache.whenSynced();
  const syncedAt = performance.now();
  const perPod = (liveHeap() - before) / pods;
  const changedFrom = performance.now();
  const cpuFrom = process.cpuUsage();
  const allSeen = new Promise<void>((resolve) => {
    let seen = 0;
    cache.onChange(({ type }) => {
      if (type === 'updated') seen += 1;
      if (seen === changes) resolve();
    });
  });
  server.send('go');
  await allSeen;
  const eventsPerSecond = changes / ((performance.now() - changedFrom) / 1000);
  const cpu = process.cpuUsage(cpuFrom);

  console.log(`bytes of a Pod on the wire   ${JSON.stringify(aPod(1, 1)).length}`);
  console.log(`initial list of ${pods} Pods ${Math.round(syncedAt - startedAt)} ms`);
  console.log(`changes, two indexes kept    ${Math.round(eventsPerSecond)} a second`);
  console.log(`CPU of a change              ${((cpu.user + cpu.system) / changes).toFixed(1)} µs`);
  console.log(`live heap of a cached Pod    ${Math.round(perPod)} bytes`);
  console.log(`resident memory at the end   ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  cache.stop();
  await transport.close();
  server.kill();
};

if (process.argv[2] === 'serve') serve();
else await measure();
