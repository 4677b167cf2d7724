// 100 ModelServings with 600 Pods (one group of 3 Roles each, an entry and a worker) on the embedded cluster over TLS:
// the operator in one process, API server, scheduler and kubelets in another. All ModelServings are edited at once. By
// phase: how long until each is truly complete, what was written, CPU and memory of the operator.
import { type ModelServing, modelServingCrd, modelServingResource } from '../src/api/index.ts';
import { type Cluster, createCluster, openHttpsFront } from '../src/cluster/index.ts';
import { createClient, createWatchCache, isApiError, type Resource, resources } from '../src/kube/index.ts';
import { isTerminating, type Pod } from '../src/objects/index.ts';
import { nodePlatform, sleep } from '../src/platform/index.ts';
import { withImage } from '../src/simulation/index.ts';
import { aServing } from './engine-template.ts';
import { type ProcessReport, startOperatorProcess } from './operator-process.ts';
import { countByKind, mainThread, mega, summary, thisMachine } from './report.ts';

const count = Number(process.env['BENCH_SERVINGS'] ?? 100);
const podsPerServing = 6;
const pods = count * podsPerServing;
const workers = process.env['BENCH_WORKERS'] === undefined ? undefined : Number(process.env['BENCH_WORKERS']);
const quietMs = 30_000;
const operatorUser = 'kubernetes-admin';

const platform = nodePlatform();
const modelServings: Resource<ModelServing> = modelServingResource;
const cluster: Cluster = createCluster({
  platform,
  nodes: Array.from({ length: Math.ceil(pods / 100) }, (_, i) => ({ name: `node-${i}` })),
  podEvents: false,
});
await cluster.start();
const front = await openHttpsFront({ platform, connect: cluster.connect, port: 0 });
const client = createClient({ transport: cluster.connect('user'), platform });
await client.create(resources.customresourcedefinitions, modelServingCrd);
const servingCache = createWatchCache({ client, platform, resource: modelServings });
const podCache = createWatchCache({
  client,
  platform,
  resource: resources.pods,
  indexers: { name: (pod: Pod) => [pod.metadata.labels?.['modelserving.volcano.sh/name'] ?? ''] },
});
for (const cache of [servingCache, podCache]) cache.start();
await Promise.all([servingCache.whenSynced(), podCache.whenSynced()]);

/** The status says so: everything is updated and available. */
const claims = ({ spec, status, metadata }: ModelServing): boolean =>
  status?.observedGeneration === metadata.generation &&
  status?.currentRevision === status?.updateRevision &&
  [status?.replicas, status?.updatedReplicas, status?.availableReplicas].every((it) => it === (spec.replicas ?? 1));

/** The nodes say so: every Pod is there and Ready, and every container runs the image that is asked for. */
const holds = (name: string, image: string): boolean => {
  const own = podCache.byIndex('name', name);
  return (
    own.length === podsPerServing &&
    own.every(
      (pod) =>
        !isTerminating(pod) &&
        pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true &&
        cluster.nodes.truth(pod, 'engine')?.image === image &&
        cluster.nodes.truth(pod, 'engine')?.running === true,
    )
  );
};

const edit = async (name: string, change: (live: ModelServing) => ModelServing): Promise<void> => {
  for (;;) {
    try {
      const live = await client.get(modelServings, { namespace: 'default', name });
      await client.update(modelServings, change(live));
      return;
    } catch (error) {
      if (!isApiError(error, 'conflict')) throw error;
    }
  }
};

const names = Array.from({ length: count }, (_, i) => `serving-${i}`);
const operator = await startOperatorProcess({
  server: front.server,
  ca: front.authority.certificate,
  token: front.token,
  workers,
});
let before: ProcessReport = await operator.report();
let clusterCpu = process.cpuUsage();
let waitedMs = mainThread()?.waitedForCpuMs ?? 0;

interface Phase {
  readonly title: string;
  /** Milliseconds from the edit of each ModelServing until it was truly complete. */
  readonly times: readonly number[];
  /** Length of the ledger when it began. */
  readonly mark: number;
  readonly fromMs: number;
}

const reportPhase = async ({ title, times, mark, fromMs }: Phase): Promise<void> => {
  const after = await operator.report();
  const clusterSpent = process.cpuUsage(clusterCpu);
  const wallMs = performance.now() - fromMs;
  const share = (cpuMs: number): string => `${(cpuMs / 1000).toFixed(2)} s (${((100 * cpuMs) / wallMs).toFixed(1)} %)`;
  const writes = cluster.ledger.slice(mark).filter(({ userName }) => userName === operatorUser);
  const sent = after.writesSent - before.writesSent;
  const refused = Object.entries(after.refused)
    .map(([kind, times]) => [kind, times - (before.refused[kind] ?? 0)] as const)
    .filter(([, times]) => times > 0);
  const refusals = refused.reduce((sum, [, times]) => sum + times, 0);

  console.log(`\n${title}, ${(wallMs / 1000).toFixed(1)} s`);
  if (times.length > 0) {
    const { median, p99 } = summary(times);
    console.log(`  truly complete after  p50 ${(median / 1000).toFixed(2)} s, p99 ${(p99 / 1000).toFixed(2)} s`);
  }
  console.log(
    `  CPU                   operator ${share(after.cpuMs - before.cpuMs)}, cluster ${share((clusterSpent.user + clusterSpent.system) / 1000)}`,
  );
  const starvedMs = (mainThread()?.waitedForCpuMs ?? 0) - waitedMs;
  console.log(`  cluster waited for a CPU ${(starvedMs / 1000).toFixed(2)} s: what else ran on this machine`);
  console.log(
    `  memory of operator    ${mega(after.rssBytes)}, peak ${mega(after.peakRssBytes)}, heap ${mega(after.heapBytes)}`,
  );
  console.log(`  writes                ${writes.length}, ${(writes.length / pods).toFixed(2)} a Pod`);
  for (const [kind, times] of countByKind(writes)) console.log(`    ${String(times).padStart(6)} ${kind}`);
  console.log(
    `  reads ${after.reads - before.reads}, writes refused ${refusals}, writes that changed nothing ${sent - writes.length - refusals}`,
  );
  for (const [kind, times] of refused) console.log(`    ${String(times).padStart(6)} ${kind}`);
  before = after;
  clusterCpu = process.cpuUsage();
  waitedMs = mainThread()?.waitedForCpuMs ?? 0;
};

/** Runs one edit of all ModelServings and waits for each, from its own edit on. */
const phase = async (
  title: string,
  work: (name: string) => Promise<unknown>,
  isDone: (name: string) => boolean,
): Promise<void> => {
  const mark = cluster.ledger.length;
  const fromMs = performance.now();
  const editedAt = new Map<string, number>();
  const doneAt = new Map<string, number>();
  const look = (): void => {
    for (const [name, at] of editedAt) if (!doneAt.has(name) && isDone(name)) doneAt.set(name, performance.now() - at);
  };
  const forget = [servingCache.onChange(look), podCache.onChange(look)];
  await Promise.all(
    names.map(async (name) => {
      await work(name);
      editedAt.set(name, performance.now());
    }),
  );
  while (doneAt.size < count) {
    if (performance.now() - fromMs > 600_000) throw new Error(`${title}: ${count - doneAt.size} are not complete`);
    await sleep(platform, 100);
    look();
  }
  for (const each of forget) each();
  // What follows at once still belongs to the phase.
  await sleep(platform, 1000);
  await reportPhase({ title, times: [...doneAt.values()], mark, fromMs });
};

const rest = async (): Promise<void> => {
  await sleep(platform, 2000);
  before = await operator.report();
  clusterCpu = process.cpuUsage();
  waitedMs = mainThread()?.waitedForCpuMs ?? 0;
  const phase = { title: 'at rest', times: [], mark: cluster.ledger.length, fromMs: performance.now() };
  await sleep(platform, quietMs);
  await reportPhase(phase);
};

let lies = 0;
/** Complete is what the status claims and the nodes confirm; a claim that they do not confirm is counted. */
const complete =
  (image: string) =>
  (name: string): boolean => {
    const live = servingCache.get(`default/${name}`);
    if (live === undefined || !claims(live)) return false;
    const isTrue = holds(name, image);
    if (!isTrue) lies += 1;
    return isTrue;
  };

console.log(
  `${count} ModelServings, ${pods} Pods, ${thisMachine()}, operator (${workers ?? 'default'} workers) and cluster in two processes`,
);
console.log(`operator, idle: memory ${mega(before.rssBytes)}, heap ${mega(before.heapBytes)}`);
const manifest = (name: string): ModelServing =>
  aServing({ name, groups: 1, roles: ['prefill', 'decode', 'router'], workers: 1, image: 'engine:1' });
await phase('create', (name) => client.create(modelServings, manifest(name)), complete('engine:1'));
await rest();
await phase('in-place rollout', (name) => edit(name, (live) => withImage(live, 'engine:2')), complete('engine:2'));
await rest();
const recreated = (live: ModelServing): ModelServing => {
  const { spec } = withImage(live, 'engine:3');
  return {
    ...live,
    spec: { ...spec, rolloutStrategy: { type: 'ServingGroupRollingUpdate', updateMethod: 'Recreate' } },
  };
};
await phase('recreation', (name) => edit(name, recreated), complete('engine:3'));
await phase(
  'delete',
  (name) => client.delete(modelServings, { namespace: 'default', name }, { propagationPolicy: 'Background' }),
  (name) => servingCache.get(`default/${name}`) === undefined && podCache.byIndex('name', name).length === 0,
);
console.log(`\nclaims of the status that the nodes did not confirm: ${lies}`);

await operator.stop();
for (const cache of [servingCache, podCache]) cache.stop();
await front.close();
await cluster.stop();
