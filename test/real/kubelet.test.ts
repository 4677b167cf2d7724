// What a real kubelet shows while an image changes: the facts that the completion rule and the simulated kubelet rest on.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bed } from '../../tools/control-plane/bed.ts';
import { registry } from '../../tools/control-plane/images.ts';
import { type Api, openApi, pods } from './api.ts';
import { missing, onRealNode, theBed } from './bed.ts';
import { runningContainers } from './containers.ts';
import { type ContainerStatus, followPods, isReady, type LivePod, type PodHistory } from './pod-history.ts';
import { until } from './wait.ts';

const engine = (tag: string): string => `${registry}/engine:${tag}`;

describe.skipIf(missing !== undefined)(onRealNode('a real kubelet'), () => {
  let bed: Bed;
  let api: Api;
  let history: PodHistory;
  let uid: string;

  beforeAll(() => {
    bed = theBed();
    api = openApi(bed);
  });
  afterAll(() => api.close());
  beforeEach(() => {
    history = followPods(api);
  });
  afterEach(async () => {
    await api.remove(`${pods}/one?gracePeriodSeconds=1`);
    await until('the Pod to be gone', () => history.latest().length === 0);
    await history.stop();
  });

  const start = async (image: string, env: Readonly<Record<string, string>> = {}, graceSeconds = 3): Promise<void> => {
    const pod = await api.create<LivePod>(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one' },
      spec: {
        // Served by a second profile of the scheduler, as a ModelServing's Pods are.
        schedulerName: 'volcano',
        terminationGracePeriodSeconds: graceSeconds,
        containers: [
          {
            name: 'engine',
            image: engine(image),
            imagePullPolicy: 'IfNotPresent',
            env: Object.entries(env).map(([name, value]) => ({ name, value })),
            readinessProbe: { exec: { command: ['test', '-f', '/tmp/ready'] }, periodSeconds: 1 },
          },
        ],
      },
    });
    uid = pod.metadata.uid ?? '';
    await until('the Pod to be Ready', () => history.versionsOf(uid).some(isReady));
  };
  const setImage = (tag: string): Promise<unknown> =>
    api.patch(`${pods}/one`, { spec: { containers: [{ name: 'engine', image: engine(tag) }] } }, 'strategic-merge');

  const latest = (): LivePod => {
    const pod = history.versionsOf(uid).at(-1);
    if (pod === undefined) throw new Error('the Pod was not started');
    return pod;
  };
  const container = (pod: LivePod = latest()): ContainerStatus | undefined => pod.status.containerStatuses?.[0];
  const runs = async (): Promise<readonly string[]> =>
    (await runningContainers(bed)).filter((one) => one.podUid === uid).map((one) => one.version);
  const seen = (): boolean => latest().status.observedGeneration === latest().metadata.generation;

  it('reports the new generation while the old container still runs and is Ready', async () => {
    await start('v1');
    const before = container()?.containerID;
    await setImage('v2');
    await until('v2 to be Ready', () => isReady(latest()) && container()?.image === engine('v2'));
    const early = history
      .versionsOf(uid)
      .filter((pod) => pod.status.observedGeneration === 2 && container(pod)?.containerID === before && isReady(pod));
    expect(early.length).toBeGreaterThan(0);
    expect(container()?.restartCount).toBe(1);
    expect(await runs()).toEqual(['v2']);
  });

  it('never shows the tag of an image that it has under another tag: only the container changes', async () => {
    await start('v1');
    const before = container();
    await setImage('v1-alias');
    await until(
      'another container to be Ready',
      () => isReady(latest()) && container()?.containerID !== before?.containerID,
    );
    expect(container()?.imageID).toBe(before?.imageID);
    expect(history.versionsOf(uid).map((pod) => container(pod)?.image)).not.toContain(engine('v1-alias'));
  });

  it('shows CrashLoopBackOff with no restart when a missing image is corrected', async () => {
    await start('v1');
    await setImage('missing');
    await until('the pull to fail', () => container()?.state.waiting?.reason === 'ImagePullBackOff');
    expect(container()?.restartCount).toBe(0);
    await setImage('v1');
    await until('v1 to be Ready again', () => isReady(latest()) && seen());
    expect(container()?.restartCount).toBe(1);
    expect(history.leaving()).toEqual([]);
  });

  it('runs the superseded image, Ready and at the newest generation, after going back while the old one is killed', async () => {
    await start('v1', { IGNORE_TERM: '1' }, 6);
    const before = container();
    await setImage('v2');
    await until('the kubelet to see v2', () => seen() && latest().metadata.generation === 2);
    await setImage('v1');
    await until('a Ready Pod at the newest generation that is not the first container', () => {
      const now = container();
      return isReady(latest()) && seen() && now?.containerID !== before?.containerID;
    });
    // The trap: everything says "done", and the wrong image runs.
    expect(latest().spec.containers[0]?.image).toBe(engine('v1'));
    expect(container()?.imageID).not.toBe(before?.imageID);
    expect(await runs()).toEqual(['v2']);
    await until('v1 to run', async () => (await runs()).join() === 'v1');
  });
});
