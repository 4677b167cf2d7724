import { budget } from './budget.ts';
import { causeOfDelete } from './cause-of-delete.ts';
import { completion } from './completion.ts';
import { currentRevision } from './current-revision.ts';
import { fallsTogether } from './falls-together.ts';
import { halt } from './halt.ts';
import { handsOff } from './hands-off.ts';
import { identity } from './identity.ts';
import { imagesAlone } from './images-alone.ts';
import type { Invariant } from './invariant.ts';
import { keptHistory } from './kept-history.ts';
import { leaving } from './leaving.ts';
import { noSurplus } from './no-surplus.ts';
import { notBeforeDeadline } from './not-before-deadline.ts';
import { oneWrite } from './one-write.ts';
import { ownRevision } from './own-revision.ts';
import { ownership } from './ownership.ts';
import { partition } from './partition.ts';
import { patchedOnce } from './patched-once.ts';
import { pause } from './pause.ts';
import { restInvariants } from './rest.ts';
import { runRules } from './run-rules.ts';
import { statusHonest, statusNumbers } from './status-sanity.ts';

export type { Finding, Invariant, Judged, RestInvariant, Watch } from './invariant.ts';
export { restInvariants } from './rest.ts';
export { calm, preconditions, quiet, reached, saysWhy } from './run-rules.ts';
export { createScene, type Scene, type SceneOptions } from './scene.ts';

/** Checked on every committed write. */
export const writeInvariants: readonly Invariant[] = [
  budget,
  partition,
  halt,
  pause,
  noSurplus,
  oneWrite,
  imagesAlone,
  completion,
  causeOfDelete,
  fallsTogether,
  leaving,
  patchedOnce,
  ownership,
  identity,
  ownRevision,
  handsOff,
  statusNumbers,
  statusHonest,
  currentRevision,
  keptHistory,
  notBeforeDeadline,
];

/** Everything that is checked, as id and text. */
export const invariantRules: readonly { readonly id: string; readonly rule: string }[] = [
  ...writeInvariants.map(({ id, rule }) => ({ id, rule })),
  ...restInvariants.map(({ id, rule }) => ({ id, rule })),
  ...runRules,
];
