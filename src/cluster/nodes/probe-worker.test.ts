import { describe, expect, it } from 'vitest';
import type { ContainerStatus } from '../../objects/index.ts';
import { freshMemory, type ProbeKind, type ProbeMemory, probeOnce } from './probe-worker.ts';

const shown = (change: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'c',
  image: '',
  imageID: '',
  containerID: 'one',
  ready: false,
  restartCount: 0,
  started: true,
  state: { running: { startedAt: '1970-01-01T00:00:00Z' } },
  ...change,
});

const ask = (
  kind: ProbeKind,
  answers: readonly ('success' | 'failure')[],
  options: { readonly from?: ProbeMemory; readonly status?: ContainerStatus; readonly nowMs?: number } = {},
): ProbeMemory => {
  const { from = freshMemory, status = shown({ started: kind !== 'startup' }), nowMs = 60_000 } = options;
  const probe = { failureThreshold: 3, successThreshold: 2, initialDelaySeconds: 10 };
  return answers.reduce((memory, said) => probeOnce(memory, { kind, probe, status, nowMs, outcome: () => said }), from);
};

describe('one probe of a container', () => {
  it('changes its result only after as many equal answers as the threshold says', () => {
    expect(ask('readiness', ['success']).result).toBe('failure');
    expect(ask('readiness', ['success', 'success']).result).toBe('success');
    const ready = ask('readiness', ['success', 'success']);
    expect(ask('readiness', ['failure', 'failure', 'success', 'failure'], { from: ready }).result).toBe('success');
    expect(ask('readiness', ['failure', 'failure', 'failure'], { from: ready }).result).toBe('failure');
  });

  it('starts as not ready, alive, and with startup unknown', () => {
    const early = { nowMs: 9_999 };
    expect(ask('readiness', ['success'], early).result).toBe('failure');
    expect(ask('liveness', ['failure'], early).result).toBe('success');
    expect(ask('startup', ['failure'], early).result).toBe('unknown');
  });

  it('begins anew with a new container', () => {
    const ready = ask('readiness', ['success', 'success']);
    const next = ask('readiness', ['success'], { from: ready, status: shown({ containerID: 'two' }) });
    expect(next).toMatchObject({ id: 'two', result: 'failure', runs: 1 });
  });

  it('fails at once when its container has ended', () => {
    const ready = ask('readiness', ['success', 'success']);
    const gone = ask('readiness', ['success'], { from: ready, status: shown({ state: {} }) });
    expect(gone.result).toBe('failure');
  });

  it('waits on hold after a fatal failure', () => {
    const dead = ask('liveness', ['failure', 'failure', 'failure']);
    expect(dead).toMatchObject({ result: 'failure', onHold: true });
    expect(ask('liveness', ['success', 'success'], { from: dead })).toEqual(dead);
  });

  it('is asked only in its turn: startup before the others', () => {
    const waiting = shown({ started: false });
    expect(ask('readiness', ['success', 'success'], { status: waiting }).runs).toBe(0);
    expect(ask('startup', ['success', 'success'], { status: waiting }).result).toBe('success');
    expect(ask('startup', ['success', 'success'], { status: shown() }).runs).toBe(0);
  });
});
