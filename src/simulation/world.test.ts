import { describe, expect, it } from 'vitest';
import { aModelServing } from '../../test/world/builders.ts';
import { nameOf } from '../objects/index.ts';
import { createWorld, operatorUser, type World } from './index.ts';

const available = (count: number) => (world: World) => world.status().availableReplicas === count;

describe('a world', () => {
  it('is up and idle when it is handed over', async () => {
    const world = await createWorld();
    expect(world.seen.nodes.list()).toHaveLength(3);
    expect(await world.operator().operator.probe('/readyz')).toMatchObject({ status: 200 });
    expect(world.ledger.writes({ by: operatorUser })).toEqual([]);
  });

  it('shows what is in the cluster between any two tasks', async () => {
    const world = await createWorld();
    const ms = await world.apply(aModelServing().groups(2).build());
    await world.until(available(2));
    await world.settle();
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0', 'ms-0-r-0-1', 'ms-1-r-0-0', 'ms-1-r-0-1']);
    expect(world.group(1, ms).map(nameOf)).toEqual(['ms-1-r-0-0', 'ms-1-r-0-1']);
    expect(world.events('RoleRunning')).toHaveLength(2);
    expect(world.ledger.writes({ by: operatorUser, verb: 'create', resource: 'services' })).toHaveLength(2);
  });

  it('changes a ModelServing as a person does: apply again, edit, a new image, remove', async () => {
    const world = await createWorld();
    const ms = await world.apply(aModelServing().groups(1).build());
    await world.until(available(1));
    await world.apply(aModelServing().groups(2).build());
    await world.until(available(2));
    await world.setImage(ms, 'engine:v2', 'r');
    expect(world.live().metadata.generation).toBe(3);
    await world.remove(ms);
    await world.settle();
    expect(world.pods()).toEqual([]);
    expect(() => world.live()).toThrow('there is no ModelServing default/ms');
  });

  it('says what is waited for when a wait fails', async () => {
    const world = await createWorld({ images: { 'engine:bad': { pullError: 'not found' } } });
    const ms = await world.apply(aModelServing().groups(2).inPlace().build());
    await world.until(available(2));
    await world.setImage(ms, 'engine:bad');
    await expect(world.until(available(5), 60_000)).rejects.toThrow(/still false after 60000 ms[\s\S]*default\/ms/);
  });

  it('fails the run where a decision throws', async () => {
    const logic = {
      decide: (): never => {
        throw new TypeError('a bug in the decision');
      },
      seePod: () => ({ first: {}, combination: '', since: 0 }),
    };
    const world = await createWorld({ logic });
    await expect(world.apply(aModelServing().build()).then(() => world.run(1000))).rejects.toThrow('a bug');
  });

  it('gives the same history for the same seed, and another one where ties are shuffled by another seed', async () => {
    const history = async (seed: number) => {
      const world = await createWorld({ seed, ties: 'seeded', nodes: 2 });
      const ms = await world.apply(aModelServing().groups(3).inPlace().build());
      await world.until(available(3));
      await world.setImage(ms, 'engine:v2');
      await world.settle();
      const writes = world.ledger.writes().map(({ atMs, userName, verb, resource, name, resourceVersion }) => {
        return [resourceVersion, atMs, userName, verb, resource, name].join(' ');
      });
      return { writes, trace: world.machine.fingerprint() };
    };
    const first = await history(7);
    expect(await history(7)).toEqual(first);
    expect((await history(8)).trace).not.toBe(first.trace);
  });
});

describe('an operator in it', () => {
  it('dies around the write it was told to, and another one takes over', async () => {
    const world = await createWorld();
    world.killOperator({ write: 4, at: 'after-commit' });
    await world.apply(aModelServing().groups(2).build());
    await world.settle();
    expect([world.operator().process.isAlive(), world.operator().writes()]).toEqual([false, 4]);
    expect(() => world.operator('another')).toThrow('no operator another was started');
    world.startOperator();
    await world.until(available(2));
  });

  it('can be one of several', async () => {
    const world = await createWorld();
    world.startOperator('second');
    expect(() => world.startOperator('second')).toThrow('second is running');
    await world.apply(aModelServing().groups(2).build());
    await world.until(available(2));
    expect(world.operators.size).toBe(2);
    expect(world.ledger.writes({ by: operatorUser, verb: 'create', resource: 'pods' })).toHaveLength(4);
  });
});
