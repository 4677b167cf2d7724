import type { Container, ContainerStatus, Probe } from '../../objects/index.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

export type ProbeResult = 'success' | 'failure' | 'unknown';

/** One probe of one container of one Pod, whatever container of that name runs. */
export interface ProbeMemory {
  /** The container the figures below are about. */
  readonly id: string | undefined;
  readonly result: ProbeResult;
  /** How often in a row the probe has said the same. */
  readonly last: ProbeResult;
  readonly runs: number;
  /** A failed startup or liveness probe waits until the container has been replaced. */
  readonly onHold: boolean;
}

export const freshMemory: ProbeMemory = { id: undefined, result: 'unknown', last: 'unknown', runs: 0, onHold: false };

/** What one probe of a container says at one moment. */
export type Outcome = (id: string) => Exclude<ProbeResult, 'unknown'>;

/** What a probe starts from when it meets a new container (`prober.newWorker`). */
const initialResult: Readonly<Record<ProbeKind, ProbeResult>> = {
  startup: 'unknown',
  readiness: 'failure',
  liveness: 'success',
};

export interface ProbeMoment {
  readonly kind: ProbeKind;
  readonly probe: Probe;
  /** The container as it was last published, not as it is. */
  readonly status: ContainerStatus | undefined;
  readonly nowMs: number;
  readonly outcome: Outcome;
}

/** One run of a probe (`worker.doProbe`): the memory after it. */
export const probeOnce = (before: ProbeMemory, moment: ProbeMoment): ProbeMemory => {
  const { kind, probe, status, outcome } = moment;
  const id = status?.containerID;
  if (status === undefined || id === undefined) return before;
  const memory = before.id === id ? before : { ...freshMemory, id, result: initialResult[kind] };
  if (memory.onHold) return memory;
  if (status.state?.running === undefined) return { ...memory, result: 'failure' };
  if (probesNotBefore(moment) > moment.nowMs || !isTurnOf(kind, status)) return memory;
  const said = outcome(id);
  const runs = memory.last === said ? memory.runs + 1 : 1;
  const next = { ...memory, last: said, runs };
  const threshold = said === 'failure' ? (probe.failureThreshold ?? 3) : (probe.successThreshold ?? 1);
  if (runs < threshold) return next;
  const fatal = said === 'failure' && kind !== 'readiness';
  return { ...next, result: said, onHold: fatal, runs: fatal ? 0 : runs };
};

/** Readiness and liveness are asked once the startup probe has passed; the startup probe no longer then. */
export const isTurnOf = (kind: ProbeKind, status: ContainerStatus): boolean =>
  (status.started === true) === (kind !== 'startup');

/** Wall milliseconds from which on the probe is asked; for ever away where nothing runs. */
export const probesNotBefore = ({ probe, status }: Pick<ProbeMoment, 'probe' | 'status'>): number => {
  const startedAt = status?.state?.running?.startedAt;
  if (startedAt === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(startedAt) + (probe.initialDelaySeconds ?? 0) * 1000;
};

export const probesOf = (container: Container): readonly (readonly [ProbeKind, Probe])[] => {
  const kinds: readonly (readonly [ProbeKind, Probe | undefined])[] = [
    ['startup', container.startupProbe],
    ['readiness', container.readinessProbe],
    ['liveness', container.livenessProbe],
  ];
  return kinds.flatMap(([kind, probe]) => (probe === undefined ? [] : [[kind, probe] as const]));
};

/** What the event about a failed probe says, in the words of the kind of handler. */
export const failureMessage = (kind: ProbeKind, probe: Probe): string => {
  const what = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} probe failed: `;
  if (probe.httpGet !== undefined) return `${what}HTTP probe failed with statuscode: 503`;
  if (probe.tcpSocket !== undefined || probe.grpc !== undefined) return `${what}connection refused`;
  return `${what}command terminated with exit code 1`;
};
