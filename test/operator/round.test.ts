import { describe, expect, it } from 'vitest';
import { nameOf, resourceVersionOf, uidOf } from '../../src/objects/index.ts';
import type { DecideInput, Decision } from '../../src/rollout/index.ts';
import { createWorld, operatorUser, type World, type WorldOptions } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { decisionOf, isReady, logicOf, onePodPerGroup } from './stand-in.ts';

const aWorld = (decide: (input: DecideInput) => Decision, options: Partial<WorldOptions> = {}): Promise<World> =>
  createWorld({ logic: logicOf(decide), ...options });

const allReady = (count: number) => (world: World) => world.pods().filter(isReady).length === count;

const createsOf = (world: World) => world.ledger.writes({ by: operatorUser, verb: 'create', resource: 'pods' });

describe('a round', () => {
  it('makes so what was decided, and writes nothing more', async () => {
    const world = await aWorld(onePodPerGroup);
    await world.apply(aModelServing().groups(3).build());
    await world.until(allReady(3));
    await world.settle();
    expect(world.status()).toMatchObject({ observedGeneration: 1, replicas: 3, availableReplicas: 3 });
    expect(createsOf(world)).toHaveLength(3);

    const mark = world.ledger.mark();
    await world.run(3_600_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
  });

  it('takes away what is not wanted any more, each with its UID', async () => {
    const world = await aWorld(onePodPerGroup);
    const ms = await world.apply(aModelServing().groups(3).build());
    await world.until(allReady(3));
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 1 } }));
    await world.settle();
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0']);
    expect(world.ledger.deletes('pods').map(({ name }) => name)).toEqual(['ms-1-r-0-0', 'ms-2-r-0-0']);
  });

  it('serves several ModelServings at once and keeps their Pods apart', async () => {
    const world = await aWorld(onePodPerGroup);
    for (const name of ['a', 'b', 'c']) await world.apply(aModelServing({ name }).groups(2).build());
    await world.until(allReady(6));
    expect(world.pods({ namespace: 'default', name: 'b' }).map(nameOf)).toEqual(['b-0-r-0-0', 'b-1-r-0-0']);
  });

  it('stops: what is under way ends, and nothing comes after', async () => {
    const world = await aWorld(onePodPerGroup, { latencyMs: 50 });
    await world.apply(aModelServing().groups(8).build());
    await world.until(() => createsOf(world).length === 1);
    await world.finish(world.operator().operator.stop());
    const mark = world.ledger.mark();
    await world.run(600_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
    expect(await world.operator().operator.probe('/healthz')).toMatchObject({ status: 503 });
  });
});

describe('reading own writes', () => {
  it('creates nothing twice though the watch of Pods is silent for an hour', async () => {
    const world = await aWorld(onePodPerGroup);
    await world.run(1000);
    world.operator().link.stallWatches('pods');
    const ms = await world.apply(aModelServing().groups(5).build());
    for (let minute = 0; minute < 30; minute++) {
      await world.run(60_000);
      await world.edit(ms, (live) => ({
        ...live,
        metadata: { ...live.metadata, annotations: { minute: String(minute) } },
      }));
    }
    expect(createsOf(world)).toHaveLength(5);
    expect(world.status()).toMatchObject({ replicas: 5 });
  });

  it('deletes nothing twice while the watch still shows it', async () => {
    const world = await aWorld(onePodPerGroup);
    const ms = await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    world.operator().link.stallWatches('pods');
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 1 } }));
    await world.run(600_000);
    expect(world.ledger.deletes('pods')).toHaveLength(1);
    expect(world.status()).toMatchObject({ replicas: 2 }); // terminating, as far as it knows
    world.operator().link.resumeWatches();
    await world.settle();
    expect(world.status()).toMatchObject({ replicas: 1 });
  });

  it('decides on no view from before the last writes of the process it follows', async () => {
    const world = await aWorld(onePodPerGroup);
    await world.apply(aModelServing().groups(4).build());
    await world.until(() => createsOf(world).length === 1);
    world.killOperator();
    world.startOperator();
    world.operator().link.stallWatches('pods');
    await world.run(600_000);
    expect(createsOf(world)).toHaveLength(1); // its watch of Pods has not opened: it takes no decision
    world.operator().link.resumeWatches();
    await world.until(allReady(4));
    expect(createsOf(world)).toHaveLength(4);
  });
});

describe('the order of writes', () => {
  const milestone = (input: DecideInput): Decision => {
    const decision = onePodPerGroup(input);
    const needed = decision.effects.flat().length > 0;
    const currentRevision = needed ? `for-${input.children.pods.length + 1}` : undefined;
    return {
      ...decision,
      effects: decision.effects.map((stage) => stage.slice(0, 1)),
      events: needed ? [{ name: `e-${currentRevision}`, type: 'Normal', reason: 'Creating', message: 'm' }] : [],
      status: needed ? { ...input.modelServing.status, currentRevision } : decision.status,
      milestone: needed,
    };
  };

  it('is milestone, event, effect', async () => {
    const world = await aWorld(milestone);
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    const order = world.ledger
      .writes({ by: operatorUser })
      .map(({ resource, verb, subresource }) => [verb, resource, subresource].filter(Boolean).join(' '))
      .slice(0, 6);
    const once = ['patch modelservings status', 'create events', 'create pods'];
    expect(order).toEqual([...once, ...once]);
  });

  it('drops the effects where the milestone meets a conflict, and decides on what is then', async () => {
    const seen: string[] = [];
    const world = await aWorld((input) => {
      seen.push(resourceVersionOf(input.modelServing));
      return milestone(input);
    });
    await world.run(1000);
    world.operator().link.stallWatches('modelservings');
    const ms = await world.apply(aModelServing().groups(1).build());
    await world.run(1000);
    expect(seen).toEqual([]);
    await world.edit(ms, (live) => ({ ...live, metadata: { ...live.metadata, annotations: { a: 'b' } } }));
    // The cache learns of the first version only; the status patch for it is refused.
    world.operator().link.resumeWatches();
    await world.until(allReady(1));
    expect(createsOf(world)).toHaveLength(1);
  });

  it('writes nothing that a milestone protects while the milestone is refused', async () => {
    const world = await aWorld(milestone);
    world.faults.add({
      matches: ({ path }) => path.includes('/status'),
      disturbance: { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'no' },
    });
    await world.apply(aModelServing().groups(1).build());
    await world.run(600_000);
    expect(world.ledger.writes({ by: operatorUser })).toEqual([]);
    world.faults.clear();
    await world.until(allReady(1));
  });

  it('goes on where an event is refused', async () => {
    const world = await aWorld(milestone);
    world.faults.add({
      matches: ({ path }) => path.includes('/events'),
      disturbance: { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'no' },
    });
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    expect(world.events('Creating')).toEqual([]);
  });
});

describe('a status without a milestone', () => {
  it('waits 200 ms, so that a burst of changes is one write, and is never stale', async () => {
    const world = await aWorld((input) =>
      decisionOf({
        status: {
          ...input.modelServing.status,
          labelSelector: JSON.stringify(input.modelServing.metadata.annotations),
        },
        wakeAfterMs: undefined,
      }),
    );
    const ms = await world.apply(aModelServing().build());
    for (let i = 0; i < 5; i++) {
      await world.run(10);
      await world.edit(ms, (live) => ({ ...live, metadata: { ...live.metadata, annotations: { step: String(i) } } }));
    }
    await world.settle();
    const writes = world.ledger.writes({ by: operatorUser, resource: 'modelservings/status' });
    expect(writes).toHaveLength(1);
    expect(world.status().labelSelector).toBe('{"step":"4"}');
  });
});

describe('an operator that cannot reach the API server at its start', () => {
  it('asks again until it can, and ends when it is told to', async () => {
    const world = await aWorld(onePodPerGroup, { startOperator: false });
    world.faults.add({ matches: () => true, disturbance: { kind: 'lose-request' } });
    await world.apply(aModelServing().build());
    world.startOperator('stopped');
    await world.run(60_000);
    await world.finish(world.operator('stopped').operator.stop());
    await world.run(10_000);
    expect(world.machine.pending()).toBe(0);

    world.startOperator('patient');
    await world.run(60_000);
    world.faults.clear();
    await world.until(allReady(1));
  });
});

describe('a ModelServing that goes and comes again under its name', () => {
  it('is another one, with a memory of its own', async () => {
    const phases: (number | undefined)[] = [];
    const world = await aWorld((input) => {
      phases.push(input.memory.phases?.size);
      return { ...onePodPerGroup(input), phases: new Map([['0/r-0', 'Running']]) };
    });
    const first = await world.apply(aModelServing().build());
    await world.until(allReady(1));
    expect([phases[0], phases.at(-1)]).toEqual([undefined, 1]);
    phases.length = 0;
    await world.remove(first);
    await world.settle();
    phases.length = 0;
    const second = await world.apply(aModelServing().build());
    await world.until(allReady(1));
    expect(phases[0]).toBeUndefined();
    expect(uidOf(second)).not.toBe(uidOf(first));
  });
});

describe('a decision that throws', () => {
  it('delays its own ModelServing and no other, and is tried again', async () => {
    let broken = true;
    const decide = (input: DecideInput): Decision => {
      if (broken && nameOf(input.modelServing) === 'poison') throw new TypeError('a bug in the decision');
      return onePodPerGroup(input);
    };
    const world = await aWorld(decide, { toleratesBugs: true });
    const poison = await world.apply(aModelServing({ name: 'poison' }).build());
    await world.apply(aModelServing({ name: 'good' }).groups(2).build());
    await world.until(allReady(2));
    await world.run(600_000);
    expect(world.pods(poison)).toEqual([]);
    const { body } = await world.operator().operator.probe('/metrics');
    const failures = Number(/decisions_total\{outcome="threw"\} (\d+)/.exec(body)?.[1]);
    expect(failures).toBeGreaterThan(10);
    expect(failures).toBeLessThan(40); // with back-off, a minute at most
    broken = false;
    await world.until((now) => now.pods(poison).some(isReady), 90_000);
  });
});

describe('wake-ups', () => {
  it('come when the decision asked for them, though nothing changes', async () => {
    const times: number[] = [];
    const world = await aWorld((input) => {
      times.push(input.time.monotonic);
      return decisionOf({ wakeAfterMs: times.length < 4 ? 30_000 : undefined });
    });
    await world.apply(aModelServing().build());
    await world.settle();
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps).toEqual([30_000, 30_000, 30_000]);
  });
});
