// The operator as a process, on a real control plane and a real node. What counts is what containerd runs.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bed } from '../../tools/control-plane/bed.ts';
import { signalDaemon } from '../../tools/control-plane/daemon.ts';
import { type Api, events, type KubeObject, modelServings, openApi, pods } from './api.ts';
import { missing, onRealNode, theBed } from './bed.ts';
import { installCrd } from './install-crd.ts';
import { type OperatorProcess, startOperator } from './operator-process.ts';
import { isReady, type LivePod } from './pod-history.ts';
import { claimsRolledOut, condition, imagePatch, type ServingOptions, serving } from './serving.ts';
import { always, until } from './wait.ts';
import { startWitness, type Witness } from './witness.ts';

describe.skipIf(missing !== undefined)(onRealNode('a ModelServing on a real node'), () => {
  let bed: Bed;
  let api: Api;
  let operator: OperatorProcess;
  let witness: Witness;
  let name: string;

  beforeAll(async () => {
    bed = theBed();
    api = openApi(bed);
    await installCrd(bed);
    operator = await startOperator(bed, 'operator');
  });
  afterAll(async () => {
    const code = await operator.stop();
    await api.close();
    expect(code).toBe(0);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') process.stderr.write(operator.log());
    await api.remove(`${modelServings}/${name}`);
    await until('the Pods to be collected', () => witness.podsByName().size === 0);
    await witness.stop();
  });

  const create = async (options: ServingOptions): Promise<void> => {
    name = options.name;
    witness = startWitness(bed, api, name);
    await api.create(modelServings, serving(options));
    await until('four Ready Pods, and a status that says so', () => {
      const own = [...witness.podsByName().values()];
      return own.length === 4 && own.every(isReady) && claimsRolledOut(witness.serving());
    });
  };
  const setImage = (tag: string): Promise<unknown> => api.patch(`${modelServings}/${name}`, imagePatch(tag), 'json');
  const rolledOut = (tag: string, seconds = 120): Promise<unknown> =>
    until(
      `${tag} to be rolled out`,
      async () => {
        const running = await witness.running();
        return (
          running.size === 4 &&
          [...running.values()].every((version) => version === tag) &&
          claimsRolledOut(witness.serving())
        );
      },
      seconds,
    );
  const pod = (suffix: string): LivePod => {
    const found = witness.podsByName().get(`${name}-${suffix}`);
    if (found === undefined) throw new Error(`no Pod ${name}-${suffix}`);
    return found;
  };
  const container = (suffix: string) => pod(suffix).status.containerStatuses?.[0];
  const restarts = (): number[] =>
    ['0-r-0-0', '0-r-0-1', '1-r-0-0', '1-r-0-1'].map((suffix) => container(suffix)?.restartCount ?? -1);
  const eventsOf = async (reason: string): Promise<readonly string[]> => {
    const { items } = await api.get<{
      items: (KubeObject & { reason: string; message: string; involvedObject: { name: string } })[];
    }>(events);
    return items
      .filter((event) => event.involvedObject.name === name && event.reason === reason)
      .map((event) => event.message);
  };

  it('gets a new image in place, one group after the other, every Pod restarted once', async () => {
    await create({ name: 'roll', image: 'v1' });
    const uids = [...witness.podsByName()].map(([key, { metadata }]) => `${key} ${metadata.uid}`);
    await setImage('v2');
    await until('the last group to be on v2', async () => {
      const running = await witness.running();
      return running.get('roll-1-r-0-0') === 'v2' && running.get('roll-1-r-0-1') === 'v2';
    });
    await rolledOut('v2');

    expect([...witness.podsByName()].map(([key, { metadata }]) => `${key} ${metadata.uid}`)).toEqual(uids);
    expect(restarts()).toEqual([1, 1, 1, 1]);
    expect(witness.pods.leaving()).toEqual([]);
    expect(witness.breaches()).toEqual([]);
    expect(condition(witness.serving(), 'Available')).toMatchObject({ status: 'True', reason: 'AllGroupsReady' });
    expect(await eventsOf('InPlaceUpdateStarted')).toHaveLength(2);
    expect(await eventsOf('InPlaceUpdateCompleted')).toHaveLength(2);
  });

  it('leaves the healthy group alone while an image is missing, and comes back in place', async () => {
    await create({ name: 'missing', image: 'v1' });
    await setImage('no-such-tag');
    await until('the pull to fail', () => container('1-r-0-0')?.state.waiting?.reason === 'ImagePullBackOff');
    await until(
      'the status to say so',
      () => condition(witness.serving(), 'UpdateInProgress')?.reason === 'InPlaceUpdateStalled',
    );
    await always(
      'group 0 serves and no Pod goes',
      5,
      () => isReady(pod('0-r-0-0')) && isReady(pod('0-r-0-1')) && witness.pods.leaving().length === 0,
    );

    await setImage('v1');
    await rolledOut('v1');
    expect(witness.pods.leaving()).toEqual([]);
    expect(restarts()).toEqual([0, 0, 1, 1]);
    expect(witness.breaches()).toEqual([]);
  });

  it('is not rolled out while the superseded image runs, however Ready the Pods are', async () => {
    await create({ name: 'trap', image: 'v1', graceSeconds: 12, ignoreTerm: true });
    await setImage('v2');
    await until('the kubelet to see v2', () => {
      const { metadata, status, spec } = pod('1-r-0-0');
      return spec.containers[0]?.image.endsWith(':v2') && status.observedGeneration === metadata.generation;
    });
    await setImage('v1');
    await until('the trap: v2 runs, the Pod is Ready and asks for v1', async () => {
      const { metadata, status, spec } = pod('1-r-0-0');
      const seen = status.observedGeneration === metadata.generation && spec.containers[0]?.image.endsWith(':v1');
      return seen && isReady(pod('1-r-0-0')) && (await witness.running()).get('trap-1-r-0-0') === 'v2';
    });
    await always('the status does not call it done', 5, async () => {
      const before = await witness.running();
      const claims = claimsRolledOut(witness.serving());
      return !(claims && [...before.values()].includes('v2') && [...(await witness.running()).values()].includes('v2'));
    });
    await rolledOut('v1');
    expect(witness.pods.leaving()).toEqual([]);
    expect(restarts().slice(0, 2)).toEqual([0, 0]);
    expect(witness.breaches()).toEqual([]);
  });

  it('is rolled out by the next operator where one was killed between two patches', async () => {
    await create({ name: 'killed', image: 'v1' });
    await setImage('v2');
    await until('the first Pod to be patched', () =>
      [...witness.podsByName().values()].some(({ spec }) => spec.containers[0]?.image.endsWith(':v2')),
    );
    await operator.kill();
    operator = await startOperator(bed, 'operator-again');
    await rolledOut('v2');
    expect(witness.pods.leaving()).toEqual([]);
    expect(restarts()).toEqual([1, 1, 1, 1]);
    expect(witness.breaches()).toEqual([]);
  });

  it('waits for a kubelet that hangs', async () => {
    await create({ name: 'hang', image: 'v1' });
    signalDaemon(bed, 'kubelet', 'SIGSTOP');
    try {
      await setImage('v2');
      await until('the operator to have seen the edit', () => witness.serving().status?.observedGeneration === 2);
      await always('no group is called updated', 8, () => witness.serving().status?.updatedReplicas === 0);
    } finally {
      signalDaemon(bed, 'kubelet', 'SIGCONT');
    }
    await rolledOut('v2');
    expect(witness.pods.leaving()).toEqual([]);
    expect(restarts()).toEqual([1, 1, 1, 1]);
    expect(witness.breaches()).toEqual([]);
  });

  it('replaces a lost Pod, and recovers its role instance', async () => {
    await create({ name: 'lost', image: 'v1' });
    const { uid } = pod('0-r-0-1').metadata;
    await api.remove(`${pods}/lost-0-r-0-1`);
    await until('a whole group again', () => {
      const own = [...witness.podsByName().values()];
      return (
        own.length === 4 &&
        own.every(isReady) &&
        pod('0-r-0-1').metadata.uid !== uid &&
        claimsRolledOut(witness.serving())
      );
    });
    expect(witness.pods.leaving().every((gone) => gone.startsWith('lost-0-'))).toBe(true);
  });
});
