import { describe, expect, it } from 'vitest';
import { aPod } from '../../../test/world/pod-builder.ts';
import { graceOf } from './grace.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const key = 'modelserving.volcano.sh/failing-since';

const failing = (note?: object | string) => {
  const pod = aPod()
    .ready()
    .with((it) => ({
      ...it,
      status: { ...it.status, conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: 'then' }] },
    }));
  return pod.annotation(key, typeof note === 'object' ? JSON.stringify(note) : note).build();
};

describe('restartGracePeriodSeconds', () => {
  it('is over at once where there is none', () => {
    expect(graceOf(failing(), 0, now)).toEqual({ state: 'over' });
  });

  it('begins by writing the moment down, held to the state that was seen', () => {
    expect(graceOf(failing(), 60_000, now)).toEqual({
      state: 'unwritten',
      body: {
        metadata: {
          resourceVersion: '100',
          annotations: { [key]: JSON.stringify({ since: '2026-01-01T01:00:00.000Z', readyTransition: 'then' }) },
        },
      },
    });
  });

  it('counts from what is written, so a restart of the operator resets nothing', () => {
    const since = new Date(now - 45_000).toISOString();
    expect(graceOf(failing({ since, readyTransition: 'then' }), 60_000, now)).toEqual({
      state: 'running',
      leftMs: 15_000,
    });
    expect(graceOf(failing({ since, readyTransition: 'then' }), 45_000, now)).toEqual({ state: 'over' });
  });

  it('begins anew after a recovery, and where the note is garbage', () => {
    const since = new Date(now - 45_000).toISOString();
    for (const note of [{ since, readyTransition: 'earlier' }, 'null', '{broken', '{"since":"soon"}']) {
      expect(graceOf(failing(note), 60_000, now).state).toBe('unwritten');
    }
  });
});
