// What the operator writes, phase by phase, on the embedded cluster in virtual time: writes by verb and resource, for
// each Pod, requests that were sent and changed nothing, and decisions. Counts, not times: the same on every machine.
import type { ModelServing } from '../src/api/index.ts';
import type { DecideInput, Decision } from '../src/rollout/index.ts';
import { decide, seePod } from '../src/rollout/index.ts';
import { createWorld, operatorUser, type World } from '../src/simulation/index.ts';
import { aServing } from './engine-template.ts';
import { countByKind } from './report.ts';

const groups = Number(process.env['BENCH_GROUPS'] ?? 20);
const roles = ['prefill', 'decode'];
const workers = 2;
const pods = groups * roles.length * (1 + workers);

interface Counts {
  readonly sent: number;
  readonly decisions: number;
  readonly podChanges: number;
  readonly mark: number;
  readonly ms: number;
}

const isRolledOut = (world: World): boolean => {
  const { spec, status, metadata } = world.live();
  return (
    status?.observedGeneration === metadata.generation &&
    status?.currentRevision === status?.updateRevision &&
    status?.updatedReplicas === spec.replicas &&
    status?.availableReplicas === spec.replicas &&
    status?.replicas === spec.replicas
  );
};

const withRecreate = ({ spec, ...rest }: ModelServing): ModelServing => ({
  ...rest,
  spec: {
    ...spec,
    rolloutStrategy: { ...spec.rolloutStrategy, type: 'ServingGroupRollingUpdate', updateMethod: 'Recreate' },
  },
});

const run = async (maxUnavailable: number): Promise<void> => {
  let decisions = 0;
  let podChanges = 0;
  const counting = (input: DecideInput): Decision => {
    decisions += 1;
    return decide(input);
  };
  const world = await createWorld({
    nodes: Math.ceil(pods / 100) + 1,
    logic: { decide: counting, seePod },
    operator: { freeze: false },
  });
  world.seen.pods.onChange(() => {
    podChanges += 1;
  });
  let earlierProcesses = 0;

  const now = (): Counts => ({
    sent: earlierProcesses + world.operator().writes(),
    decisions,
    podChanges,
    mark: world.ledger.mark(),
    ms: world.machine.clock.monotonic(),
  });

  const phase = async (title: string, work: () => Promise<void>): Promise<void> => {
    const before = now();
    await work();
    const after = now();
    const writes = world.ledger.since(before.mark).writes({ by: operatorUser });
    const sent = after.sent - before.sent;
    const seconds = Math.round((after.ms - before.ms) / 1000);
    console.log(`\n${title} (${seconds} s of virtual time)`);
    console.log(
      `  writes ${writes.length}, ${(writes.length / pods).toFixed(2)} a Pod; sent and not committed: ${sent - writes.length}`,
    );
    for (const [kind, count] of countByKind(writes)) {
      console.log(`    ${String(count).padStart(5)}  ${(count / pods).toFixed(2).padStart(5)} a Pod  ${kind}`);
    }
    const changes = after.podChanges - before.podChanges;
    console.log(`  decisions ${after.decisions - before.decisions}, changes of Pods that they were about ${changes}`);
  };

  console.log(`\n== ${groups} groups of 6 Pods, ${pods} Pods, maxUnavailable ${maxUnavailable}`);
  const ms = aServing({ name: 'llama', groups, roles, workers, image: 'engine:1', maxUnavailable });
  const rolledOut = async (): Promise<void> => {
    await world.until(isRolledOut, 6 * 3_600_000);
    await world.settle(6 * 3_600_000);
  };
  await phase('create', async () => {
    await world.apply(ms);
    await rolledOut();
  });
  await phase('at rest, two hours', () => world.run(2 * 3_600_000));
  await phase('in-place rollout', async () => {
    await world.setImage(ms, 'engine:2');
    await rolledOut();
  });
  await phase('at rest, two hours', () => world.run(2 * 3_600_000));
  await phase('another process takes over', async () => {
    earlierProcesses += world.operator().writes();
    world.killOperator();
    await world.finish(world.startOperator().running);
    await world.settle();
  });
  await phase('recreation', async () => {
    await world.edit(ms, withRecreate);
    await world.setImage(ms, 'engine:3');
    await rolledOut();
  });
  await phase('delete', async () => {
    await world.remove(ms);
    await world.until(() => world.pods().length === 0 && world.seen.revisions.list().length === 0);
    await world.settle();
  });
};

for (const maxUnavailable of [1, 5]) await run(maxUnavailable);
