import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aContainer, aPod, isReady, smallCluster, statusOf, waitingReason } from './small-cluster.ts';

describe('an image', () => {
  it('is pulled once for each node, unless the policy is Always', async () => {
    const { create, until, events } = await smallCluster();
    await create(resources.pods, aPod({}, 'first'));
    await until(isReady, 'first');
    await create(resources.pods, aPod({}, 'second'));
    await until(isReady, 'second');
    const always = aContainer({ imagePullPolicy: 'Always' });
    await create(resources.pods, aPod({ containers: [always] }, 'third'));
    await until(isReady, 'third');
    expect(await events('second')).toContain('Pulled Container image "engine:v1" already present on machine');
    expect(await events('third')).toContain('Pulling Pulling image "engine:v1"');
  });

  it('is not pulled where the policy is Never', async () => {
    const { create, until } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ imagePullPolicy: 'Never' })] }));
    const pod = await until((seen) => waitingReason(seen) === 'ErrImageNeverPull');
    expect(statusOf(pod).state?.waiting?.message).toBe(
      'Container image "engine:v1" is not present with pull policy of Never',
    );
  });

  it('may be there from the start', async () => {
    const { create, until } = await smallCluster({ nodes: [{ name: 'n1', images: ['engine:v1'] }] });
    await create(resources.pods, aPod({ containers: [aContainer({ imagePullPolicy: 'Never' })] }));
    await until(isReady);
  });

  it('with a name that cannot be one says so', async () => {
    const { create, until } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ image: 'Not An Image' })] }));
    const pod = await until((seen) => waitingReason(seen) === 'InvalidImageName');
    expect(pod.status?.phase).toBe('Pending');
  });

  it('that cannot be pulled is tried again later and later, up to every five minutes', async () => {
    const { create, until, machine, cluster } = await smallCluster({
      images: { 'engine:v1': { pullError: 'no such manifest' } },
    });
    await create(resources.pods, aPod());
    const first = await until((pod) => waitingReason(pod) === 'ErrImagePull');
    expect(statusOf(first).state?.waiting?.message).toBe('no such manifest');
    const backing = await until((pod) => waitingReason(pod) === 'ImagePullBackOff');
    expect(statusOf(backing)).toMatchObject({
      state: { waiting: { message: 'Back-off pulling image "engine:v1": ErrImagePull: no such manifest' } },
      restartCount: 0,
    });
    expect(statusOf(backing)).not.toHaveProperty('containerID');
    await machine.advance(30 * 60_000);
    const failures = cluster.ledger.filter((entry) => {
      const event = entry.object as { reason?: string; message?: string };
      return entry.resource === 'events' && event.message === 'Failed to pull image "engine:v1": no such manifest';
    });
    const gaps = failures.slice(1).map((entry, i) => (entry.atMs - (failures[i]?.atMs ?? 0)) / 1000);
    expect(gaps.slice(0, 5).every((gap, i) => gap >= 10 * 2 ** i && gap <= 10 * 2 ** i + 16)).toBe(true);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(316);
    cluster.setImage('engine:v1', {});
    await until(isReady);
  });

  it('keeps Pending a Pod that never had one, and Running one that lost its own', async () => {
    const { create, until, setImage } = await smallCluster({ images: { 'engine:v2': { pullError: 'gone' } } });
    await create(resources.pods, aPod({ containers: [aContainer({ image: 'engine:v2' })] }, 'never'));
    expect((await until((pod) => waitingReason(pod) === 'ImagePullBackOff', 'never')).status?.phase).toBe('Pending');
    await create(resources.pods, aPod());
    await until(isReady);
    await setImage('engine:v2');
    expect((await until((pod) => waitingReason(pod) === 'ImagePullBackOff')).status?.phase).toBe('Running');
  });

  it('of the same content under another name keeps imageID and the name that was there first', async () => {
    const same = { content: 'build-7' };
    const { create, until, setImage, cluster } = await smallCluster({
      images: { 'engine:v1': same, 'mirror.example.com/engine:stable': same },
    });
    await create(resources.pods, aPod());
    const before = statusOf(await until(isReady));
    await setImage('mirror.example.com/engine:stable');
    const pod = await until((seen) => isReady(seen) && statusOf(seen).containerID !== before.containerID);
    expect(statusOf(pod)).toMatchObject({ image: before.image, imageID: before.imageID, restartCount: 1 });
    expect(cluster.nodes.truth(pod, 'c')?.image).toBe('mirror.example.com/engine:stable');
  });

  it('pinned by digest is known by that digest, whatever its tag says', async () => {
    const digest = `sha256:${'ab'.repeat(32)}`;
    const { create, until } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ image: `engine:v9@${digest}` })] }));
    expect(statusOf(await until(isReady)).imageID).toBe(`docker.io/library/engine@${digest}`);
  });

  it('whose tag was moved is new only where it is pulled again', async () => {
    const { create, until, cluster } = await smallCluster({ images: { 'engine:v1': { content: 'old' } } });
    await create(resources.pods, aPod({}, 'old'));
    const old = statusOf(await until(isReady, 'old'));
    cluster.setImage('engine:v1', { content: 'new' });
    await create(resources.pods, aPod({}, 'kept'));
    expect(statusOf(await until(isReady, 'kept')).imageID).toBe(old.imageID);
    const always = aContainer({ imagePullPolicy: 'Always' });
    await create(resources.pods, aPod({ containers: [always] }, 'fresh'));
    expect(statusOf(await until(isReady, 'fresh')).imageID).not.toBe(old.imageID);
  });
});
