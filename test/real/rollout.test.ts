// The operator as a process, on a real control plane and a real node. What counts is what containerd runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missing, onRealNode } from './bed.ts';
import { openRegistry, type Registry } from './registry.ts';
import { condition } from './serving.ts';
import { openTrial } from './trial.ts';
import { until } from './wait.ts';

describe.skipIf(missing !== undefined)(onRealNode('a new image on a real node'), () => {
  const trial = openTrial();
  let registry: Registry;
  beforeAll(async () => {
    registry = await openRegistry();
  });
  afterAll(() => registry.close());

  const nothingLost = (uids: readonly string[]): void => {
    expect(trial.uids()).toEqual(uids);
    expect(trial.witness().pods.leaving()).toEqual([]);
    expect(trial.witness().breaches()).toEqual([]);
  };

  it('reaches every Pod in place, one group after the other, each restarted once', async () => {
    await trial.create({ name: 'roll', image: 'v1' });
    const uids = trial.uids();
    await trial.setImage('v2');
    await until('the last group to be on v2, the first still on v1', async () => {
      const running = await trial.witness().running();
      return running.get('roll-1-r-0-0') === 'v2' && running.get('roll-0-r-0-0') === 'v1';
    });
    await trial.rolledOut('v2');

    nothingLost(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(condition(trial.serving(), 'Available')).toMatchObject({ status: 'True', reason: 'AllGroupsReady' });
    expect(await trial.eventsOf('InPlaceUpdateStarted')).toHaveLength(2);
    expect(await trial.eventsOf('InPlaceUpdateCompleted')).toHaveLength(2);
  });

  it('is complete under another tag of the same content, which no status ever shows', async () => {
    await trial.create({ name: 'alias', image: 'v1' });
    const uids = trial.uids();
    const before = trial.container('0-r-0-0');
    await trial.setImage('v1-alias');
    await trial.rolledOut('v1');

    nothingLost(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(trial.container('0-r-0-0')?.imageID).toBe(before?.imageID);
    expect(trial.container('0-r-0-0')?.containerID).not.toBe(before?.containerID);
  });

  it('is pulled from a registry, and complete by its digest', async () => {
    await trial.create({ name: 'pulled', image: 'v1', repository: `${registry.name}/engine` });
    const uids = trial.uids();
    registry.setDelay(4_000);
    await trial.setImage('v2');
    await trial.rolledOut('v2');

    nothingLost(uids);
    expect(trial.restarts()).toEqual([1, 1, 1, 1]);
    expect(trial.container('0-r-0-0')?.imageID).toMatch(/^127\.0\.0\.1:\d+\/ms\/engine@sha256:/);
  });

  it('reaches one role instance after the other where Roles are rolled out', async () => {
    await trial.create({ name: 'roles', image: 'v1', byRole: true });
    const uids = trial.uids();
    await trial.setImage('v2');
    await until('the last instance to be on v2, the first still on v1', async () => {
      const running = await trial.witness().running();
      return running.get('roles-0-r-1-0') === 'v2' && running.get('roles-0-r-0-0') === 'v1';
    });
    await trial.rolledOut('v2');

    nothingLost(uids);
    expect(trial.restarts()).toEqual([1, 1]);
  });

  it('together with another field recreates the groups, and an event names the field', async () => {
    await trial.create({ name: 'more', image: 'v1' });
    const uids = trial.uids();
    const template = '/spec/template/roles/0/entryTemplate/spec/containers/0';
    await trial.edit([
      { op: 'replace', path: `${template}/image`, value: 'registry.local/ms/engine:v2' },
      { op: 'add', path: `${template}/env`, value: [{ name: 'MORE', value: '1' }] },
      {
        op: 'replace',
        path: '/spec/template/roles/0/workerTemplate/spec/containers/0/image',
        value: 'registry.local/ms/engine:v2',
      },
    ]);
    await trial.rolledOut('v2');
    expect(trial.uids().filter((uid) => uids.includes(uid))).toEqual([]);
    expect(trial.restarts()).toEqual([0, 0, 0, 0]);
    expect((await trial.eventsOf('InPlaceUpdateFallback')).join()).toContain('env');
    expect(trial.witness().breaches()).toEqual([]);
  });

  it('goes to the groups there are while others are added and removed', async () => {
    await trial.create({ name: 'scaled', image: 'v1' });
    await trial.setImage('v2');
    await until('the first patch', () => trial.pod('1-r-0-0').spec.containers[0]?.image.endsWith(':v2'));
    await trial.edit([{ op: 'replace', path: '/spec/replicas', value: 3 }]);
    await trial.rolledOut('v2');
    expect(trial.restarts()).toEqual([1, 1, 1, 1, 0, 0]);
    expect(trial.witness().pods.leaving()).toEqual([]);

    await trial.edit([{ op: 'replace', path: '/spec/replicas', value: 1 }]);
    await until('one group', () => trial.witness().podsByName().size === 2 && trial.isWhole());
    expect(trial.restarts()).toEqual([1, 1]);
    expect(trial.witness().breaches()).toEqual([]);
  });
});
