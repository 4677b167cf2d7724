import type { Condition } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import type { Wait } from '../types.ts';
import type { GroupSummary } from './counts.ts';
import { describeTrouble, isStalled } from './trouble.ts';

export interface ConditionsInput {
  readonly units: readonly UnitView[];
  readonly groups: readonly GroupSummary[];
  /** Units that are in update now, begun by this decision included. */
  readonly updating: readonly UnitView[];
  /** The spec's revision has not reached every unit it may reach. */
  readonly isRollingOut: boolean;
  /** What exists beyond the final set and is on its way out: groups (`4`), role instances of others (`0/decode-2`). */
  readonly surplus: readonly string[];
}

/** The longest message; a condition is for people, `waits` has everything. */
const longest = 1_000;

/**
 * Upstream's three condition types. Exactly one is True, and its message tells what is waited for: which object, why,
 * and what would move it. A type that never was True is left out, but for Available.
 */
export const conditionsOf = (context: Context, input: ConditionsInput): readonly Condition[] => {
  const verdict = verdictOf(context, input);
  const previous = context.modelServing.status?.conditions ?? [];
  const ours = ['Available', 'Progressing', 'UpdateInProgress'];
  const kept = previous.filter(({ type }) => !ours.includes(type));
  const next = ours
    .filter((type) => type === 'Available' || type === verdict.type || previous.some((it) => it.type === type))
    .map((type) => {
      const status = type === verdict.type ? 'True' : 'False';
      const before = previous.find((it) => it.type === type);
      const isSame = before?.status === status;
      return {
        type,
        status,
        reason: verdict.reason,
        message: verdict.message,
        lastTransitionTime: isSame ? before.lastTransitionTime : wholeSeconds(context.time.wall),
        observedGeneration: context.modelServing.metadata.generation,
      };
    });
  return [...kept, ...next];
};

interface Verdict {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

const verdictOf = (context: Context, input: ConditionsInput): Verdict => {
  const { catalog, records, draft, memory } = context;
  const down = input.groups.filter((group) => !group.available).map(({ ordinal }) => ordinal);
  const waits = draft.waits.map(sentence);
  if (input.isRollingOut || input.updating.length > 0) {
    const failed = records.failures().find(({ revision }) => revision === catalog.target);
    const notReady = input.units.filter((unit) => !unit.ready && !input.updating.includes(unit));
    const troubles = [...input.updating, ...notReady].map((unit) => `${unit.title}: ${describeTrouble(unit)}`);
    const updated = input.groups.filter((group) => group.updated).map(({ ordinal }) => ordinal);
    const head = `revision ${catalog.target} is at groups ${list(updated)}, not available are ${list(down)}`;
    const message = shorten([head, ...troubles, ...waits]);
    const type = 'UpdateInProgress';
    if (memory.statusPruned) return { type, reason: 'CRDOutdated', message };
    if (failed !== undefined) return { type, reason: 'ProgressDeadlineExceeded', message };
    const isRefused = draft.waits.some(({ reason }) => reason === 'InPlaceUpdatePatchFailed');
    if (isRefused || input.updating.some(isStalled)) return { type, reason: 'InPlaceUpdateStalled', message };
    if (input.updating.length > 0) return { type, reason: 'InPlaceUpdating', message };
    return { type, reason: 'GroupsUpdating', message };
  }
  if (down.length === 0 && input.surplus.length === 0) {
    return { type: 'Available', reason: 'AllGroupsReady', message: 'All Serving groups are ready' };
  }
  const troubles = input.units.filter((unit) => !unit.ready).map((unit) => `${unit.title}: ${describeTrouble(unit)}`);
  const heads = [
    ...(down.length > 0 ? [`Some groups is progressing: ${list(down)}`] : []),
    ...(input.surplus.length > 0 ? [`scaled down, on their way out: [${input.surplus.join(' ')}]`] : []),
  ];
  return { type: 'Progressing', reason: 'GroupProgressing', message: shorten([...heads, ...troubles, ...waits]) };
};

const sentence = (wait: Wait): string => (wait.unit === '' ? wait.message : `${wait.unit}: ${wait.message}`);

/** As upstream prints ordinals: `[0 1 2]`. */
const list = (ordinals: readonly number[]): string => `[${ordinals.join(' ')}]`;

const shorten = (sentences: readonly string[]): string => {
  const text = [...new Set(sentences)].join('. ');
  return text.length <= longest ? text : `${text.slice(0, longest - 3)}...`;
};

const wholeSeconds = (wall: number): string => new Date(wall).toISOString().replace(/\.\d+Z$/, 'Z');
