import { describe, expect, it } from 'vitest';
import { aPod } from '../../test/world/pod-builder.ts';
import { createVirtualPlatform } from '../simulation/index.ts';
import { createMemory, type MemoryStore } from './memory.ts';

/** Counts the statuses of each Pod instead of judging them. */
const aMemory = (): { memory: MemoryStore; machine: ReturnType<typeof createVirtualPlatform> } => {
  const machine = createVirtualPlatform();
  const memory = createMemory(machine.clock, (previous, _pod, now) => ({
    first: {},
    combination: 'x',
    since: previous?.since ?? now,
  }));
  return { memory, machine };
};

describe('memory', () => {
  it('folds every status of a Pod into one sighting and drops it with the Pod', async () => {
    const { memory, machine } = aMemory();
    const pod = aPod({ uid: 'u1' }).build();
    await machine.advance(5);
    memory.seePod(pod);
    await machine.advance(5);
    memory.seePod(pod);
    expect(memory.owner('o').view().sightings.get('u1')).toMatchObject({ since: 5 });
    memory.forgetPod('u1');
    expect(memory.owner('o').view().sightings.size).toBe(0);
  });

  it('backs off 1, 2, 4 … seconds after refusals in a row, 60 at most, and starts anew after a success', async () => {
    const { memory, machine } = aMemory();
    const owner = memory.owner('o');
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      owner.refuse('patch/p', 'no');
      waits.push(owner.backOffMs('patch/p'));
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    await machine.advance(59_000);
    expect(owner.backOffMs('patch/p')).toBe(1000);
    await machine.advance(5000);
    expect(owner.backOffMs('patch/p')).toBe(0);
    owner.accept('patch/p');
    expect(owner.refuse('patch/p', 'no').count).toBe(1);
    expect(owner.backOffMs('another')).toBe(0);
  });

  it('forgets a refusal that nobody has asked about for ten minutes', async () => {
    const { memory, machine } = aMemory();
    memory.owner('o').refuse('patch/p', 'no');
    expect([...memory.owner('o').view().refusals.keys()]).toEqual(['patch/p']);
    await machine.advance(600_001);
    expect([...memory.owner('o').view().refusals.keys()]).toEqual([]);
  });

  it('remembers the latest thousand events, so that it stays small', () => {
    const { memory } = aMemory();
    const owner = memory.owner('o');
    for (let i = 0; i < 1500; i++) owner.eventSent(`e${i}`);
    const { eventsSent } = owner.view();
    expect([eventsSent.size, eventsSent.has('e499'), eventsSent.has('e500')]).toEqual([1000, false, true]);
  });

  it('keeps ModelServings apart, also one that was created again under its old name', () => {
    const { memory } = aMemory();
    memory.owner('first').refuse('patch/p', 'no');
    memory.owner('first').phases = new Map([['0/r-0', 'Running']]);
    expect(memory.owner('second').view()).toMatchObject({ phases: undefined, refusals: new Map() });
    memory.forgetOwner('first');
    expect(memory.owner('first').view().phases).toBeUndefined();
  });

  it('remembers that a Pod was not found after the Pod is gone', async () => {
    const { memory, machine } = aMemory();
    await machine.advance(7);
    memory.podRead('u1', undefined);
    memory.forgetPod('u1');
    expect(memory.owner('o').view().reads.get('u1')).toEqual({ resourceVersion: undefined, at: 7 });
  });
});
