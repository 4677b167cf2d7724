import { failingSinceAnnotation } from '../../api/index.ts';
import { type Pod, resourceVersionOf } from '../../objects/index.ts';

/** Since when a Pod has been failing, as written on it. */
interface FailingSince {
  /** RFC 3339. */
  readonly since: string;
  /** lastTransitionTime of the condition Ready, verbatim: the note counts while this is unchanged. */
  readonly readyTransition: string;
}

export type Grace =
  | { readonly state: 'over' }
  | { readonly state: 'running'; readonly leftMs: number }
  /** Nothing on the Pod says when it began to fail: that must be written first, or a restart would reset it. */
  | { readonly state: 'unwritten'; readonly body: unknown };

/**
 * Where a failing Pod stands with `restartGracePeriodSeconds`. The moment is kept on the Pod, so that it survives a
 * restart of the operator and never outlives a recovery.
 *
 * @param graceMs  0 or less: no grace
 * @param now      wall milliseconds
 */
export const graceOf = (pod: Pod, graceMs: number, now: number): Grace => {
  if (graceMs <= 0) return { state: 'over' };
  const readyTransition =
    pod.status?.conditions?.find((condition) => condition.type === 'Ready')?.lastTransitionTime ?? '';
  const written = readNote(pod.metadata.annotations?.[failingSinceAnnotation]);
  if (written === undefined || written.readyTransition !== readyTransition) {
    const note: FailingSince = { since: new Date(now).toISOString(), readyTransition };
    return {
      state: 'unwritten',
      body: {
        metadata: {
          resourceVersion: resourceVersionOf(pod),
          annotations: { [failingSinceAnnotation]: JSON.stringify(note) },
        },
      },
    };
  }
  const leftMs = Date.parse(written.since) + graceMs - now;
  return leftMs > 0 ? { state: 'running', leftMs } : { state: 'over' };
};

/** Anything unparsable counts as not written. */
const readNote = (text: string | undefined): FailingSince | undefined => {
  if (text === undefined) return undefined;
  let note: unknown;
  try {
    note = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isNote(note) ? note : undefined;
};

const isNote = (value: unknown): value is FailingSince =>
  typeof value === 'object' &&
  value !== null &&
  'since' in value &&
  typeof value.since === 'string' &&
  !Number.isNaN(Date.parse(value.since)) &&
  'readyTransition' in value &&
  typeof value.readyTransition === 'string';
