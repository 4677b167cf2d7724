import type { Clock } from '../../platform/index.ts';
import type { ProbeKind } from './probe-worker.ts';
import type { Runtime } from './runtime.ts';

export interface HealthQuestion {
  readonly podUid: string;
  readonly container: string;
  readonly id: string;
  readonly kind: ProbeKind;
}

/** What the process in a container answers to its probes, as its image has it or as somebody overrode it. */
export interface Health {
  passes(question: HealthQuestion): boolean;
  /** In how many milliseconds the answer changes by itself; undefined: never. */
  nextChange(question: HealthQuestion): number | undefined;
  /** Readiness alone; undefined gives it back to the image. */
  override(podUid: string, container: string, ready: boolean | undefined): void;
  overridden(podUid: string, container: string): boolean | undefined;
  forget(podUid: string): void;
}

const defaultReadyAfterMs = 300;

export const createHealth = (clock: Clock, runtime: Runtime): Health => {
  /** By Pod UID, then container name. */
  const overrides = new Map<string, Map<string, boolean>>();

  const overridden = (podUid: string, container: string): boolean | undefined => overrides.get(podUid)?.get(container);

  /** From when to when after its start the process answers well; of a process that runs. */
  const window = (
    question: HealthQuestion,
  ): { readonly ageMs: number; readonly fromMs: number; readonly toMs: number } | undefined => {
    const process = runtime.processOf(question.id);
    if (process === undefined) return undefined;
    const {
      neverReady,
      readyAfterMs = defaultReadyAfterMs,
      hangsAfterMs = Number.POSITIVE_INFINITY,
    } = process.behaviour;
    const ageMs = clock.monotonic() - process.startedAtMs;
    switch (question.kind) {
      case 'liveness':
        return { ageMs, fromMs: 0, toMs: hangsAfterMs };
      case 'startup':
        return { ageMs, fromMs: readyAfterMs, toMs: hangsAfterMs };
      case 'readiness':
        return { ageMs, fromMs: neverReady === true ? Number.POSITIVE_INFINITY : readyAfterMs, toMs: hangsAfterMs };
    }
  };

  return {
    passes: (question) => {
      const well = window(question);
      if (well === undefined) return false;
      const override = question.kind === 'readiness' ? overridden(question.podUid, question.container) : undefined;
      return override ?? (well.ageMs >= well.fromMs && well.ageMs < well.toMs);
    },
    nextChange: (question) => {
      const well = window(question);
      if (well === undefined) return undefined;
      const next = [well.fromMs, well.toMs].find((edge) => edge > well.ageMs);
      return next === undefined || next === Number.POSITIVE_INFINITY ? undefined : next - well.ageMs;
    },
    override: (podUid, container, ready) => {
      const ofPod = overrides.get(podUid) ?? new Map<string, boolean>();
      if (ready === undefined) ofPod.delete(container);
      else ofPod.set(container, ready);
      overrides.set(podUid, ofPod);
    },
    overridden,
    forget: (podUid) => overrides.delete(podUid),
  };
};
