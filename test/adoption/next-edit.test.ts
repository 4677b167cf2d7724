import { describe, expect, it } from 'vitest';
import type { ModelServingSpec } from '../../src/api/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import {
  edited,
  images,
  inPlaceWith,
  isAvailable,
  livesOf,
  losePod,
  madeAnew,
  rollOutInPlace,
  runs,
  seats,
  settled,
  takenOver,
  touches,
} from './taken-over.ts';

const names = (world: World, group?: number): readonly string[] => Object.keys(runs(world, group));

describe('fresh, taken over', () => {
  it('gets a new image in place, and the old one back in place under its old name', async () => {
    const { world, before } = await takenOver('fresh');
    await rollOutInPlace(world, 'engine:v2');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    await rollOutInPlace(world, 'engine:v1');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v1']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
    expect(world.status()).toMatchObject({ currentRevision: '68985b448c', updateRevision: '68985b448c' });
    // History and undo go by the number, and this one is the newest again.
    const numbers = world.seen.revisions.list().map(({ metadata, revision }) => `${revision} ${metadata.name}`);
    expect(numbers.toSorted().at(-1)).toBe('3 fresh-68985b448c');
    expect(world.events('InPlaceUpdateFallback')).toEqual([]);
  });

  it('scales up and down beside running Pods', async () => {
    const { world, before, mark } = await takenOver('fresh');
    await edited(world, (spec) => ({ ...spec, replicas: 3 }));
    await world.until(settled);
    expect(new Set(Object.values(runs(world, 2)))).toEqual(new Set(['engine:v1 68985b448c']));
    await edited(world, (spec) => ({ ...spec, replicas: 1 }));
    await world.until((now) => settled(now) && names(now).length === 5);
    expect(seats(livesOf(world))).toMatchObject(
      Object.fromEntries(Object.entries(seats(before.lives)).filter(([name]) => name.startsWith('fresh-0-'))),
    );
    expect(touches(world, mark).filter((it) => it.includes('fresh-0-'))).toEqual([]);
  });

  it('makes a lost role instance again, and no other', async () => {
    const { world, before } = await takenOver('fresh');
    await losePod(world, 'fresh-1-prefill-1-1');
    await world.until((now) => madeAnew(now, before.lives).length === 2 && settled(now));
    expect(madeAnew(world, before.lives)).toEqual(['fresh-1-prefill-1-0', 'fresh-1-prefill-1-1']);
  });

  it('goes on when the operator dies in the middle of the first update', async () => {
    const { world, before } = await takenOver('fresh');
    world.killOperator({ write: 9, at: 'after-commit' });
    await rollOutInPlace(world, 'engine:v2');
    await world.run(60_000);
    expect(world.operator().process.isAlive()).toBe(false);
    world.startOperator();
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
  });
});

describe('partitioned, taken over', () => {
  it('keeps group 0 on its revision, and makes it again from it when it is lost', async () => {
    const { world, before } = await takenOver('partitioned');
    await losePod(world, 'part-0-prefill-0-0');
    await world.until((now) => madeAnew(now, before.lives).length === 2 && isAvailable(now));
    expect(madeAnew(world, before.lives)).toEqual(['part-0-prefill-0-0', 'part-0-prefill-0-1']);
    expect(new Set(Object.values(runs(world, 0)))).toEqual(new Set(['engine:v1 68985b448c']));
    for (const name of names(world, 0)) await losePod(world, name);
    await world.run(10 * 60_000);
    expect(new Set(Object.values(runs(world, 0)))).toEqual(new Set(['engine:v1 68985b448c']));
    expect(madeAnew(world, before.lives)).toHaveLength(3);
    expect(world.status()).toMatchObject({ currentRevision: '68985b448c', updatedReplicas: 2, availableReplicas: 3 });
  });

  it('rolls a new image out in place to groups 1 and 2, then to group 0 when the partition falls', async () => {
    const { world, before } = await takenOver('partitioned');
    await rollOutInPlace(world, 'engine:v3');
    await world.until((now) => isAvailable(now) && images(now, 2).join() === 'engine:v3', 60 * 60_000);
    expect([0, 1, 2].map((group) => images(world, group).join())).toEqual(['engine:v1', 'engine:v3', 'engine:v3']);
    await edited(world, ({ rolloutStrategy, ...spec }) => ({
      ...spec,
      rolloutStrategy: { type: 'ServingGroupRollingUpdate', updateMethod: 'InPlace' },
    }));
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v3']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
  });

  it('reverts in place: group 0 is not touched', async () => {
    const { world, before, mark } = await takenOver('partitioned');
    await rollOutInPlace(world, 'engine:v1');
    await world.until(settled, 60 * 60_000);
    expect(world.status().currentRevision).toBe('68985b448c');
    expect(images(world)).toEqual(['engine:v1']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
    expect(touches(world, mark).filter((it) => it.includes('part-0-'))).toEqual([]);
  });
});

describe('role-updated, taken over', () => {
  it('gets a new image of one Role in place; the other Role is not touched', async () => {
    const { world, before, mark } = await takenOver('role-updated');
    await rollOutInPlace(world, 'engine:v3', 'decode');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v3', 'engine:v1']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
    expect(touches(world, mark).filter((it) => it.includes('prefill'))).toEqual([]);
  });

  it('reverts to what the edit came from in place, although kthena had thrown that away', async () => {
    const { world, before } = await takenOver('role-updated');
    await rollOutInPlace(world, 'engine:v1', 'decode');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v1']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
  });

  it('makes a lost instance again from the record it wrote', async () => {
    const { world, before } = await takenOver('role-updated');
    await losePod(world, 'rolemix-1-prefill-0-1');
    await world.until((now) => madeAnew(now, before.lives).length === 2 && settled(now));
    expect(madeAnew(world, before.lives)).toEqual(['rolemix-1-prefill-0-0', 'rolemix-1-prefill-0-1']);
    expect(runs(world)['rolemix-1-prefill-0-1']).toBe('engine:v1 78fd68d998');
  });

  it('scales a Role up and down', async () => {
    const { world, before } = await takenOver('role-updated');
    const decode = (replicas: number) =>
      edited(world, (spec) => ({
        ...spec,
        template: {
          ...spec.template,
          roles: spec.template.roles.map((role) => (role.name === 'decode' ? { ...role, replicas } : role)),
        },
      }));
    await decode(3);
    await world.until(settled);
    expect(madeAnew(world, before.lives)).toEqual(['rolemix-0-decode-2-0', 'rolemix-1-decode-2-0']);
    await decode(1);
    await world.until((now) => settled(now) && names(now).length === 10);
    expect(madeAnew(world, before.lives)).toEqual([]);
  });
});

describe('sparse-ordinals, taken over', () => {
  it('renumbers nothing; scaled up, it fills 0 and 2', async () => {
    const { world, before } = await takenOver('sparse-ordinals');
    await edited(world, (spec) => ({ ...spec, replicas: 4 }));
    await world.until(settled);
    const groups = (now: World): readonly string[] => [
      ...new Set(now.pods().map((pod) => nameOf(pod).split('-')[1] ?? '')),
    ];
    expect(groups(world)).toEqual(['0', '1', '2', '3']);
    expect(livesOf(world)).toMatchObject(before.lives);
    await edited(world, (spec) => ({ ...spec, replicas: 1 }));
    await world.until((now) => settled(now) && groups(now).length === 1);
  });

  it('makes a lost role instance again, and no other', async () => {
    const { world, before } = await takenOver('sparse-ordinals');
    await losePod(world, 'scaled-3-prefill-1-0');
    await world.until((now) => madeAnew(now, before.lives).length === 1 && settled(now));
    expect(madeAnew(world, before.lives)).toEqual(['scaled-3-prefill-1-0']);
  });

  it('gets a new image in place', async () => {
    const { world, before } = await takenOver('sparse-ordinals');
    await rollOutInPlace(world, 'engine:v2');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
  });
});

describe('stuck-mid-rollout, taken over', () => {
  it('heals group 2 first with the next good edit, and the others in place', async () => {
    const { world, before, mark } = await takenOver('stuck-mid-rollout');
    await edited(world, (spec) => inPlaceWith(withoutNodeSelector(spec), 'engine:v3'));
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v3']);
    expect(madeAnew(world, before.lives)).toEqual(['mid-2-prefill-0-0', 'mid-2-prefill-0-1']);
    const order = touches(world, mark).map((it) => it.slice(0, it.lastIndexOf('-prefill')));
    expect([...new Set(order)].slice(0, 2)).toEqual(['delete mid-2', 'create mid-2']);
  });

  it('is reverted without a touch of groups 0 and 1', async () => {
    const { world, before, mark } = await takenOver('stuck-mid-rollout');
    await edited(world, (spec) => inPlaceWith(withoutNodeSelector(spec), 'engine:v1'));
    await world.until(settled, 60 * 60_000);
    expect(world.status().currentRevision).toBe('756c6d9fc');
    expect(madeAnew(world, before.lives)).toEqual(['mid-2-prefill-0-0', 'mid-2-prefill-0-1']);
    expect(touches(world, mark).every((it) => it.includes('mid-2-'))).toBe(true);
  });
});

describe('the first update after the change of hands', () => {
  it.each([
    ['partitioned', 'engine:v3'],
    ['role-updated', 'engine:v3'],
    ['sparse-ordinals', 'engine:v3'],
    ['gang', 'engine:v3'],
  ] as const)('%s: goes on in place, whenever the operator dies in it', async (state, image) => {
    for (const write of [1, 2, 4, 7]) {
      const { world, before } = await takenOver(state);
      world.killOperator({ write, at: 'after-commit' });
      await rollOutInPlace(world, image);
      await world.run(60_000);
      expect(world.operator().process.isAlive()).toBe(false);
      world.startOperator();
      await world.until((now) => isAvailable(now) && images(now).includes(image) && isCalm(now), 60 * 60_000);
      expect(seats(livesOf(world)), `killed after write ${write}`).toEqual(seats(before.lives));
    }
  });
});

/** Every group that the partition does not keep is at the newest revision. */
const isCalm = (world: World): boolean => {
  const { updatedReplicas = 0, replicas = 0 } = world.status();
  return (
    updatedReplicas + Number(world.live().spec.rolloutStrategy?.rollingUpdateConfiguration?.partition ?? 0) === replicas
  );
};

describe.each(['gang', 'lws'] as const)('%s, taken over', (state) => {
  it('gets a new image in place', async () => {
    const { world, before } = await takenOver(state);
    await rollOutInPlace(world, 'engine:v2');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
    expect(world.events('InPlaceUpdateFallback')).toEqual([]);
  });
});

const withoutNodeSelector = (spec: ModelServingSpec): ModelServingSpec =>
  JSON.parse(JSON.stringify(spec, (key, value) => (key === 'nodeSelector' ? undefined : value)));
