import type { ImageBehaviour } from '../../cluster/index.ts';

/** The image that the example starts with, the one it is rolled out to, and a tag that nobody ever pushed. */
export const demoTags = {
  first: 'lmsysorg/sglang:v0.5.5',
  second: 'lmsysorg/sglang:v0.5.6',
  missing: 'lmsysorg/sglang:v0.5.66',
} as const;

/** An engine of a demonstration: pulled and loaded in about a second instead of minutes. */
const engine: ImageBehaviour = { pullMs: 700, readyAfterMs: 900, log: ['loading weights', 'server is ready'] };

/** Any other image runs too, with the embedded cluster's defaults. */
export const demoImages: Readonly<Record<string, ImageBehaviour>> = {
  [demoTags.first]: engine,
  [demoTags.second]: engine,
  [demoTags.missing]: { pullError: `${demoTags.missing}: not found` },
};
