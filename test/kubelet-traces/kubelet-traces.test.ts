import { describe, expect, it } from 'vitest';
import type { ImageBehaviour } from '../../src/cluster/index.ts';
import { readRecording } from './recording.ts';
import { replay } from './replay.ts';

const v1: ImageBehaviour = { content: 'v1' };
const v2: ImageBehaviour = { content: 'v2' };
const stubborn = { ignoresTerm: true };
/** A shell that sleeps and exits: it ignores TERM and ends by itself. */
const dying = { ...stubborn, exitsAfterMs: 4000, exitCode: 1 };

/** What the images of each recording did. */
const imagesOf: readonly (readonly [number, Readonly<Record<string, ImageBehaviour>>])[] = [
  [1, { v1, v2 }],
  [2, { v1, 'v1-alias': v1 }],
  [3, { v1, missing: { pullError: 'not found' } }],
  [4, { v1, v2 }],
  [5, { v1, v2 }],
  [6, { v1, v2, crash: { exitsAfterMs: 10, exitCode: 3 } }],
  [7, { v1: { ...v1, ...stubborn }, v2 }],
  [8, { v1: { ...v1, ...stubborn }, v2: { ...v2, ...stubborn } }],
  [9, { v1: { ...v1, ...dying }, v2: { ...v2, ...dying } }],
];

/** How long after its last row a recording is still known to show nothing new. */
const quietSeconds = 0.5;

describe('the simulated kubelet shows what a real one showed', () => {
  it.each(imagesOf)('in recording %i, row by row', async (number, images) => {
    const recording = readRecording(number);
    const until = (recording.rows.at(-1)?.atSeconds ?? 0) + quietSeconds;
    const played = await replay(recording, images, until);
    expect(played.map(({ row }) => row)).toEqual(recording.rows.map(({ row }) => row));
    // Requests took the real API server up to 0.3 s; nothing here takes longer than there.
    const late = played.map(({ atSeconds }, i) => atSeconds - (recording.rows[i]?.atSeconds ?? 0));
    for (const seconds of late) expect(Math.abs(seconds)).toBeLessThan(0.35);
  });
});
