import { describe, expect, it } from 'vitest';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, condition, places, rolledOut } from './world.ts';

describe('a new image, in place, group by group', () => {
  it('1: patches every Pod where it is and deletes none', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(4).image('engine:v1').inPlace().build());
    const before = places(world);

    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);

    expect(places(world)).toEqual(before);
    expect(world.ledger.deletes('pods')).toEqual([]);
    expect(condition(world, 'Available')).toBe('True AllGroupsReady: All Serving groups are ready');
    expect(condition(world, 'UpdateInProgress')).toMatch(/^False/);
    const started = world.events('InPlaceUpdateStarted').map((event) => (event.message ?? '').split(':')[0]);
    expect(started).toEqual(['ms-3', 'ms-2', 'ms-1', 'ms-0']);
  });
});
