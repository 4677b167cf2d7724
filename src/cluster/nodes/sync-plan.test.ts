import { describe, expect, it } from 'vitest';
import type { Container, Pod, PodSpec } from '../../objects/index.ts';
import type { ContainerRecord, ContainerRun, PodRecord } from './records.ts';
import { type ProbeVerdicts, planSync, type SyncStep } from './sync-plan.ts';

const pod = (spec: Partial<PodSpec>): Pod => ({
  metadata: { name: 'p', namespace: 'default', uid: 'u' },
  spec: { containers: [{ name: 'c', image: 'engine:v1' }], ...spec },
});

const running: ContainerRun = { state: 'running', startedAtMs: 0 };
const exited = (exitCode: number): ContainerRun => ({
  state: 'exited',
  startedAtMs: 0,
  finishedAtMs: 1,
  exitCode,
  reason: exitCode === 0 ? 'Completed' : 'Error',
});

const made = (name: string, run: ContainerRun, image = 'engine:v1'): ContainerRecord => ({
  id: `id-of-${name}`,
  name,
  image,
  content: image,
  restarts: 0,
  log: [],
  run,
});

const record = (...containers: ContainerRecord[]): PodRecord => ({
  sandbox: { ip: '10.0.0.1', ready: true },
  containers,
});

const allWell: ProbeVerdicts = { started: () => true, failed: () => undefined };

const short = (step: SyncStep): string => {
  switch (step.do) {
    case 'kill':
      return `kill ${step.container.name}: ${step.message}`;
    case 'start':
      return `start ${step.role} ${step.container.name}`;
    default:
      return step.do;
  }
};

const plan = (spec: Partial<PodSpec>, of: PodRecord, probes: Partial<ProbeVerdicts> = {}): readonly string[] =>
  planSync(pod(spec), of, { ...allWell, ...probes }).map(short);

const sidecar: Container = { name: 's', image: 'proxy:1', restartPolicy: 'Always' };
const init = (name: string): Container => ({ name, image: 'engine:v1' });

describe('the plan of a sync', () => {
  it('makes a sandbox first, and in it the first init container or all main ones', () => {
    const nothing: PodRecord = { sandbox: undefined, containers: [] };
    expect(plan({}, nothing)).toEqual(['create-sandbox', 'start main c']);
    expect(plan({ initContainers: [init('i'), init('j')] }, nothing)).toEqual(['create-sandbox', 'start init i']);
  });

  it('is empty where everything runs as it should', () => {
    expect(plan({}, record(made('c', running)))).toEqual([]);
  });

  it('replaces a running container whose image is spelt differently, whatever the restart policy', () => {
    for (const restartPolicy of ['Always', 'OnFailure', 'Never'] as const) {
      expect(plan({ restartPolicy }, record(made('c', running, 'engine:v0')))).toEqual([
        'kill c: Container c definition changed, will be restarted',
        'start main c',
      ]);
    }
  });

  it('treats one that has ended by the policy, not by its image', () => {
    const old = (code: number): PodRecord => record(made('c', exited(code), 'engine:v0'));
    expect(plan({ restartPolicy: 'Always' }, old(0))).toEqual(['start main c']);
    expect(plan({ restartPolicy: 'OnFailure' }, old(1))).toEqual(['start main c']);
    expect(plan({ restartPolicy: 'OnFailure' }, old(0))).toEqual(['kill-pod']);
    expect(plan({ restartPolicy: 'Never' }, old(1))).toEqual(['kill-pod']);
  });

  it('lets a container have a policy and rules of its own', () => {
    const own = { name: 'c', image: 'engine:v1', restartPolicy: 'Never' };
    expect(plan({ containers: [own] }, record(made('c', exited(1))))).toEqual(['kill-pod']);
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
    const ruled = { ...own, restartPolicyRules: rules };
    expect(plan({ containers: [ruled] }, record(made('c', exited(42))))).toEqual(['start main c']);
    expect(plan({ containers: [ruled] }, record(made('c', exited(1))))).toEqual(['kill-pod']);
  });

  it('kills all before it starts any', () => {
    const containers = [init('a'), init('b')];
    const old = record(made('a', running, 'engine:v0'), made('b', running, 'engine:v0'));
    const steps = plan({ containers }, old).map((step) => step.split(':')[0]);
    expect(steps).toEqual(['kill a', 'kill b', 'start main a', 'start main b']);
  });

  it('restarts what fails its liveness or startup probe, unless the policy is Never', () => {
    const failed = (): 'liveness' => 'liveness';
    const why = 'kill c: Container c failed liveness probe';
    expect(plan({}, record(made('c', running)), { failed })).toEqual([`${why}, will be restarted`, 'start main c']);
    expect(plan({ restartPolicy: 'Never' }, record(made('c', running)), { failed })).toEqual([why]);
  });
});

describe('init containers', () => {
  const spec = { initContainers: [init('i'), init('j')] };

  it('go one by one, and the others wait for the last', () => {
    expect(plan(spec, record(made('i', running)))).toEqual([]);
    expect(plan(spec, record(made('i', exited(0))))).toEqual(['start init j']);
    expect(plan(spec, record(made('j', exited(0)), made('i', exited(0))))).toEqual(['start main c']);
  });

  it('are tried again when they fail, or fail the Pod', () => {
    expect(plan(spec, record(made('i', exited(1))))).toEqual(['start init i']);
    expect(plan({ ...spec, restartPolicy: 'Never' }, record(made('i', exited(1))))).toEqual(['kill-pod']);
  });

  it('never run again once a main container was made', () => {
    expect(plan(spec, record(made('c', running)))).toEqual([]);
  });
});

describe('sidecars', () => {
  const spec = { initContainers: [sidecar] };
  const up = made('s', running, 'proxy:1');

  it('come first, and the others wait until they have started', () => {
    expect(plan(spec, record())).toEqual(['start sidecar s']);
    expect(plan(spec, record(up), { started: () => false })).toEqual([]);
    expect(plan(spec, record(up))).toEqual(['start main c']);
  });

  it('are started again when they end, beside the running ones', () => {
    expect(plan(spec, record(made('s', exited(1), 'proxy:1'), made('c', running)))).toEqual(['start sidecar s']);
  });

  it('are replaced when their image changes', () => {
    expect(plan(spec, record(made('s', running, 'proxy:0'), made('c', running)))).toEqual([
      'kill s: Container s definition changed, will be restarted',
      'start sidecar s',
    ]);
  });

  it('do not keep a Pod alive whose main containers have ended for good', () => {
    expect(plan({ ...spec, restartPolicy: 'Never' }, record(up, made('c', exited(0))))).toEqual(['kill-pod']);
  });
});
