import { describe, expect, it } from 'vitest';
import type { ContainerStatus, Pod } from '../../objects/index.ts';
import { type ContainerSources, containerStatus } from './container-status.ts';
import type { ContainerRecord, ContainerRun, PodRecord } from './records.ts';

const container = { name: 'c', image: 'engine:v2' };
const pod = (metadata: Pod['metadata'] = { name: 'p' }, restartPolicy?: 'Never'): Pod => ({
  metadata,
  spec: { containers: [container], restartPolicy },
});

const running: ContainerRun = { state: 'running', startedAtMs: 5_000 };
const ended: ContainerRun = { state: 'exited', startedAtMs: 1_000, finishedAtMs: 4_000, exitCode: 3, reason: 'Error' };
const made = (id: string, run: ContainerRun): ContainerRecord => ({
  id,
  name: 'c',
  image: 'engine:v1',
  content: 'v1',
  restarts: 2,
  log: [],
  run,
});
const record = (...containers: ContainerRecord[]): PodRecord => ({ sandbox: { ip: '', ready: true }, containers });

const status = (sources: Partial<ContainerSources>, of: Pod = pod()): ContainerStatus =>
  containerStatus(of, container, {
    record: record(),
    previous: undefined,
    problem: undefined,
    report: (content) => ({ image: `r/engine:${content}`, imageID: `r/engine@${content}` }),
    isReady: () => true,
    isStarted: () => true,
    ...sources,
  });

const problem = { reason: 'ImagePullBackOff', message: 'later' };

describe('the status of a container', () => {
  it('tells of the newest container, and in lastState how the one before ended', () => {
    expect(status({ record: record(made('new', running), made('old', ended)) })).toEqual({
      name: 'c',
      image: 'r/engine:v1',
      imageID: 'r/engine@v1',
      containerID: 'new',
      restartCount: 2,
      state: { running: { startedAt: '1970-01-01T00:00:05Z' } },
      lastState: {
        terminated: {
          containerID: 'old',
          exitCode: 3,
          reason: 'Error',
          startedAt: '1970-01-01T00:00:01Z',
          finishedAt: '1970-01-01T00:00:04Z',
        },
      },
      ready: true,
      started: true,
    });
  });

  it('is not ready before it has started', () => {
    expect(status({ record: record(made('new', running)), isStarted: () => false })).toMatchObject({
      ready: false,
      started: false,
    });
  });

  it('shows an ended container as ended while nothing has failed since', () => {
    expect(status({ record: record(made('old', ended)) }).state?.terminated?.exitCode).toBe(3);
  });

  it('shows one that cannot be started again as waiting, with its end in lastState and its ID kept', () => {
    expect(status({ record: record(made('old', ended)), problem })).toMatchObject({
      state: { waiting: problem },
      lastState: { terminated: { exitCode: 3 } },
      containerID: 'old',
      restartCount: 2,
    });
  });

  it('shows no problem of a container that runs, nor of one that stays ended', () => {
    expect(status({ record: record(made('new', running)), problem }).state?.running).toBeDefined();
    expect(status({ record: record(made('old', ended)), problem }, pod({}, 'Never')).state?.terminated).toBeDefined();
    const leaving = pod({ name: 'p', deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(status({ record: record(made('old', ended)), problem }, leaving).state?.terminated).toBeDefined();
  });
});

describe('a container that the runtime does not know', () => {
  const before = status({ record: record(made('old', running)) });

  it('is being created if it was never seen', () => {
    expect(status({})).toMatchObject({
      image: 'engine:v2',
      imageID: '',
      restartCount: 0,
      state: { waiting: { reason: 'ContainerCreating' } },
    });
  });

  it('counts one restart more if it ran: it has vanished', () => {
    expect(status({ previous: before })).toMatchObject({
      imageID: '',
      restartCount: 3,
      lastState: { terminated: { reason: 'ContainerStatusUnknown', exitCode: 137 } },
      ready: false,
    });
    expect(status({ previous: before })).not.toHaveProperty('containerID');
  });

  it('is counted once only', () => {
    const vanished = status({ previous: before });
    expect(status({ previous: vanished }).restartCount).toBe(3);
  });

  it('keeps the end it was last shown with', () => {
    const over = status({ record: record(made('old', ended)) });
    expect(status({ previous: over })).toEqual(over);
  });
});
