// Bad images, and going back from them, on a real node.
import { describe, expect, it } from 'vitest';
import { missing, onRealNode } from './bed.ts';
import { isReady } from './pod-history.ts';
import { claimsRolledOut, condition } from './serving.ts';
import { openTrial } from './trial.ts';
import { always, until } from './wait.ts';

describe.skipIf(missing !== undefined)(onRealNode('a bad image on a real node'), () => {
  const trial = openTrial();
  const groupIsReady = (group: number): boolean =>
    isReady(trial.pod(`${group}-r-0-0`)) && isReady(trial.pod(`${group}-r-0-1`));

  it('that is missing leaves the healthy group alone, and the old one comes back in place', async () => {
    await trial.create({ name: 'missing', image: 'v1' });
    const uids = trial.uids();
    await trial.setImage('no-such-tag');
    await until('the pull to fail', () => trial.container('1-r-0-0')?.state.waiting?.reason === 'ImagePullBackOff');
    await until(
      'the status to say so',
      () => condition(trial.serving(), 'UpdateInProgress')?.reason === 'InPlaceUpdateStalled',
    );
    await always(
      'group 0 serves and no Pod goes',
      5,
      () => groupIsReady(0) && trial.witness().pods.leaving().length === 0,
    );

    await trial.setImage('v1');
    await trial.rolledOut('v1');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts()).toEqual([0, 0, 1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('that crashes stops at the first group, and a good one goes to the same Pods', async () => {
    await trial.create({ name: 'crash', image: 'v1' });
    const uids = trial.uids();
    await trial.setImage('crash');
    await until('the crash loop', () => trial.container('1-r-0-0')?.state.waiting?.reason === 'CrashLoopBackOff');
    await until(
      'the status to say so',
      () => condition(trial.serving(), 'UpdateInProgress')?.reason === 'InPlaceUpdateStalled',
    );
    expect(groupIsReady(0)).toBe(true);

    await trial.setImage('v2');
    await trial.rolledOut('v2');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts().slice(0, 2)).toEqual([1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('that was taken back too late is not called gone while it runs, however Ready the Pods are', async () => {
    await trial.create({ name: 'trap', image: 'v1', graceSeconds: 12, ignoreTerm: true });
    const uids = trial.uids();
    const seen = (tag: string): boolean => {
      const { metadata, status, spec } = trial.pod('1-r-0-0');
      const asked = spec.containers[0]?.image.endsWith(`:${tag}`) === true;
      return asked && status.observedGeneration === metadata.generation;
    };
    const runsV2 = async (): Promise<boolean> => (await trial.witness().running()).get('trap-1-r-0-0') === 'v2';
    await trial.setImage('v2');
    await until('the kubelet to see v2', () => seen('v2'));
    await trial.setImage('v1');
    // v1 is asked for and seen, the Pod is Ready, its container is new, and it is the wrong one.
    await until('the trap', async () => seen('v1') && isReady(trial.pod('1-r-0-0')) && (await runsV2()));
    await always('the status does not call it done', 5, async () => {
      const claims = claimsRolledOut(trial.serving());
      return !claims || !(await runsV2());
    });
    await trial.rolledOut('v1');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts()).toEqual([0, 0, 2, 2]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('past its deadline gets one warning, then its own role instance is recreated, and no other', async () => {
    await trial.create({ name: 'late', image: 'v1', progressDeadlineSeconds: 60 });
    const healthy = trial.uids().filter((uid) => uid.startsWith('late-0-'));
    await trial.setImage('no-such-tag');
    await until('the deadline', async () => (await trial.eventsOf('ProgressDeadlineExceeded')).length > 0, 100);
    await until('the instance to be recreated', () => trial.witness().pods.leaving().length === 2);
    expect(
      trial
        .witness()
        .pods.leaving()
        .every((name) => name.startsWith('late-1-')),
    ).toBe(true);
    expect(trial.uids().filter((uid) => uid.startsWith('late-0-'))).toEqual(healthy);

    await trial.setImage('v1');
    await trial.rolledOut('v1');
    expect(trial.uids().filter((uid) => uid.startsWith('late-0-'))).toEqual(healthy);
    expect(await trial.eventsOf('ProgressDeadlineExceeded')).toHaveLength(1);
    expect(trial.witness().breaches()).toEqual([]);
  });
});
