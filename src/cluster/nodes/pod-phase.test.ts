import { describe, expect, it } from 'vitest';
import type { ContainerState, ContainerStatus, PodSpec } from '../../objects/index.ts';
import { phaseOf } from './pod-phase.ts';

const running: ContainerState = { running: {} };
const waiting: ContainerState = { waiting: { reason: 'ImagePullBackOff' } };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } });

const shown = (name: string, state: ContainerState, lastState: ContainerState = {}): ContainerStatus => ({
  name,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  started: state.running !== undefined,
  state,
  lastState,
});

const phase = (
  main: readonly ContainerStatus[],
  options: {
    readonly spec?: Partial<PodSpec>;
    readonly init?: readonly ContainerStatus[];
    readonly over?: boolean;
  } = {},
): string => {
  const containers = main.map(({ name }) => ({ name }));
  const pod = { metadata: {}, spec: { containers, ...options.spec } };
  return phaseOf(pod, { main, init: options.init ?? [] }, options.over === true);
};

describe('the phase of a Pod', () => {
  it('is Pending until every container was started once', () => {
    expect(phase([shown('a', running), shown('b', waiting)])).toBe('Pending');
    expect(phase([shown('a', running), shown('b', running)])).toBe('Running');
  });

  it('stays Running where a container waits to be started again', () => {
    expect(phase([shown('a', waiting, ended(0))])).toBe('Running');
    expect(phase([shown('a', ended(1))])).toBe('Running');
  });

  it('is final where nothing is started again', () => {
    const over = [shown('a', ended(0)), shown('b', ended(0))];
    const bad = [shown('a', ended(0)), shown('b', ended(1))];
    expect(phase(over, { spec: { restartPolicy: 'Never' } })).toBe('Succeeded');
    expect(phase(over, { spec: { restartPolicy: 'OnFailure' } })).toBe('Succeeded');
    expect(phase(bad, { spec: { restartPolicy: 'Never' } })).toBe('Failed');
    expect(phase(bad, { spec: { restartPolicy: 'OnFailure' } })).toBe('Running');
  });

  it('is final where the Pod is over, even if its policy is Always', () => {
    expect(phase([shown('a', ended(0))], { over: true })).toBe('Succeeded');
    expect(phase([shown('a', ended(137))], { over: true })).toBe('Failed');
    expect(phase([shown('a', waiting)], { over: true })).toBe('Failed');
  });

  it('is Pending while init containers work, and Failed where one may not be tried again', () => {
    const spec = { initContainers: [{ name: 'i' }] };
    const main = [shown('a', { waiting: { reason: 'PodInitializing' } })];
    expect(phase(main, { spec, init: [shown('i', running)] })).toBe('Pending');
    expect(phase(main, { spec, init: [shown('i', ended(1))] })).toBe('Pending');
    const never = { ...spec, restartPolicy: 'Never' as const };
    expect(phase(main, { spec: never, init: [shown('i', ended(1))] })).toBe('Failed');
  });

  it('is Running as long as a sidecar runs', () => {
    const spec = { restartPolicy: 'Never' as const, initContainers: [{ name: 's', restartPolicy: 'Always' }] };
    expect(phase([shown('a', ended(0))], { spec, init: [shown('s', running)] })).toBe('Running');
    expect(phase([shown('a', ended(0))], { spec, init: [shown('s', ended(137))] })).toBe('Succeeded');
  });
});
