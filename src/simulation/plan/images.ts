import type { ImageBehaviour } from '../../cluster/index.ts';

/** Images a rollout can end well with. */
export const goodImages: readonly string[] = ['engine:v1', 'engine:v2', 'engine:v3', 'engine:v2-again', 'engine:slow'];

/** Images it cannot. */
export const badImages: readonly string[] = ['engine:missing', 'engine:crashes', 'engine:never-ready'];

/** What the images of the simulation do; those that are not listed run well. */
export const simulatedImages: Readonly<Record<string, ImageBehaviour>> = {
  'engine:v2': { content: 'two', readyAfterMs: 1_500 },
  'engine:v2-again': { content: 'two' },
  'engine:v3': { readyAfterMs: 4_000, ignoresTerm: true },
  'engine:slow': { pullMs: 20_000, readyAfterMs: 8_000 },
  'engine:missing': { pullError: 'manifest unknown' },
  'engine:crashes': { exitsAfterMs: 700, exitCode: 1 },
  'engine:never-ready': { neverReady: true },
};
