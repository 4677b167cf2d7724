// What happens around an update: the operator is killed, the kubelet hangs, a Pod is lost.
import { describe, expect, it } from 'vitest';
import { signalDaemon } from '../../tools/control-plane/daemon.ts';
import { pods } from './api.ts';
import { missing, onRealNode } from './bed.ts';
import { denyUpdates } from './deny-updates.ts';
import { openTrial } from './trial.ts';
import { always, until } from './wait.ts';

describe.skipIf(missing !== undefined)(onRealNode('an outage on a real node'), () => {
  const trial = openTrial();

  it('of the operator between two patches: the next one finishes its update', async () => {
    await trial.create({ name: 'killed', image: 'v1' });
    const uids = trial.uids();
    const isPatched = (suffix: string): boolean => trial.pod(suffix).spec.containers[0]?.image.endsWith(':v2') === true;
    await trial.setImage('v2');
    await until('the first patch', () => isPatched('1-r-0-0') || isPatched('1-r-0-1'));
    await trial.killOperator();
    await trial.startOperator();
    await trial.rolledOut('v2');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('of the operator in the middle of a group: the next one patches the other half, and takes no restart for a failure', async () => {
    await trial.create({ name: 'half', image: 'v1' });
    const uids = trial.uids();
    // The API server itself keeps the worker from being patched, so that exactly the entry Pod is.
    const allow = await denyUpdates(trial.api(), 'half-1-r-0-1');
    await trial.setImage('v2');
    await until(
      'v2 to run in the entry Pod',
      async () => (await trial.witness().running()).get('half-1-r-0-0') === 'v2',
    );
    await trial.killOperator();
    await allow();
    await trial.startOperator();
    await trial.rolledOut('v2');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('of the kubelet: nothing is called updated until it is back', async () => {
    await trial.create({ name: 'hang', image: 'v1' });
    const uids = trial.uids();
    signalDaemon(trial.bed(), 'kubelet', 'SIGSTOP');
    try {
      await trial.setImage('v2');
      await until('the operator to have seen the edit', () => trial.serving().status?.observedGeneration === 2);
      await always('no group is called updated', 8, () => trial.serving().status?.updatedReplicas === 0);
    } finally {
      signalDaemon(trial.bed(), 'kubelet', 'SIGCONT');
    }
    await trial.rolledOut('v2');
    expect(trial.uids()).toEqual(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('of one Pod: its role instance is made again, the other group is not touched', async () => {
    await trial.create({ name: 'lost', image: 'v1' });
    const { uid } = trial.pod('0-r-0-1').metadata;
    const other = trial.uids().filter((one) => one.startsWith('lost-1-'));
    await trial.api().remove(`${pods}/lost-0-r-0-1`);
    await until('a whole group again', () => trial.isWhole() && trial.pod('0-r-0-1').metadata.uid !== uid);
    expect(trial.uids().filter((one) => one.startsWith('lost-1-'))).toEqual(other);
  });
});
