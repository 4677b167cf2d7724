import { describe, expect, it } from 'vitest';
import type { Container, Pod } from '../../src/objects/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import {
  applied,
  aWorld,
  containerIds,
  deletedPods,
  places,
  podNamed,
  rolledOut,
  specImages,
  truth,
} from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers } from '../world/edits.ts';
import { editRole, isServing } from './helpers.ts';

const inPlace = (groups: number) => aModelServing().groups(groups).role('w').inPlace();

const gates = (world: World): readonly unknown[] => world.pods().map(({ spec }) => spec.readinessGates);

const containerOf = (pod: Pod | undefined, name: string): Container | undefined =>
  pod?.spec.containers.find((container) => container.name === name);

describe('an edit of more than images', () => {
  const edits: readonly (readonly [string, (container: Container) => Container])[] = [
    ['an env', (container) => ({ ...container, image: 'engine:v2', env: [{ name: 'FOO', value: '1' }] })],
    ['resources', (container) => ({ ...container, image: 'engine:v2', resources: { limits: { cpu: '2' } } })],
    ['args', (container) => ({ ...container, image: 'engine:v2', args: ['--fast'] })],
  ];
  for (const [what, edit] of edits) {
    it(`B077: is never applied in part: ${what} beside the image recreates the Pod with both`, async () => {
      const world = await aWorld();
      await applied(world, inPlace(1).build());
      await editRole(world, 'w', (role) => withEntryContainers(role, edit));
      await world.until(rolledOut);
      const wanted = world.live().spec.template.roles[0]?.entryTemplate.spec?.containers[0];
      const { env: _, ...rest } = wanted ?? { name: '' };
      expect(containerOf(world.pods()[0], 'c')).toMatchObject(rest);
      expect(containerOf(world.pods()[0], 'c')?.env).toEqual(expect.arrayContaining([...(wanted?.env ?? [])]));
      expect(world.events('InPlaceUpdateFallback')).toHaveLength(1);
      expect(deletedPods(world)).toContain('ms-0-w-0-0');
    });
  }
});

describe('a bad image that was patched in', () => {
  it('B080: is patched back at once, and the other group never notices', async () => {
    const world = await aWorld({ images: { 'engine:missing': { pullError: 'not found' } } });
    const ms = await applied(world, inPlace(2).build());
    const before = places(world);
    const healthy = containerIds(world.group(0));
    await world.setImage(ms, 'engine:missing');
    await world.until(() => specImages(world.group(1)).join() === 'engine:missing');
    await world.run(60_000);
    await world.setImage(ms, 'engine:v1');
    await world.until(() => specImages(world.group(1)).join() === 'engine:v1', 1_000);
    await world.until(() => world.pods().every(isServing));
    expect(places(world)).toEqual(before);
    expect(containerIds(world.group(0))).toEqual(healthy);
    await world.until(rolledOut);
  });
});

describe('readiness', () => {
  for (const method of ['recreate', 'inPlace'] as const) {
    it(`B081: hangs on no gate of the operator's (${method})`, async () => {
      const world = await aWorld();
      const manifest = aModelServing().groups(2).role('w')[method]().partition(2).build();
      const ms = await applied(world, manifest);
      await world.setImage(ms, 'engine:v2');
      world.killOperator();
      await world.run(60_000);
      expect(gates(world)).toEqual([undefined, undefined]);
      expect(world.pods().every(isServing)).toBe(true);
      world.startOperator();
      await world.run(60_000);
      expect(world.pods().every(isServing)).toBe(true);
    });
  }
});

describe('an image patch', () => {
  it('B084: changes that image and nothing else of the Pod, and restarts that container alone', async () => {
    const world = await aWorld();
    const manifest = aModelServing()
      .role('w', {
        images: { c: 'engine:v1', side: 'proxy:v1' },
        spec: (spec) => ({
          ...spec,
          containers: spec.containers.map((container) => ({
            ...container,
            resources: { requests: { cpu: '1' }, limits: { cpu: '2' } },
            ports: [{ name: `p-${container.name}`, containerPort: 8000 }],
            env: [{ name: 'MODE', value: container.name }],
          })),
        }),
      })
      .inPlace()
      .build();
    await applied(world, manifest);
    const before = podNamed(world, 'ms-0-w-0-0');
    const running = containerIds([before]);
    await editRole(world, 'w', (role) =>
      withEntryContainers(role, (container) =>
        container.name === 'side' ? { ...container, image: 'proxy:v2' } : container,
      ),
    );
    await world.until(rolledOut);
    const after = podNamed(world, 'ms-0-w-0-0');
    expect(containerIds([after])).toEqual(running);
    expect(containerOf(after, 'side')).toEqual({ ...containerOf(before, 'side'), image: 'proxy:v2' });
    expect(containerOf(after, 'c')).toEqual(containerOf(before, 'c'));
    const { containers: _, ...rest } = after.spec;
    expect(before.spec).toMatchObject(rest);
    expect(after.metadata.uid).toBe(before.metadata.uid);
  });

  it('B085: is not done while the kubelet has not reported the new container', async () => {
    const world = await aWorld();
    const ms = await applied(world, inPlace(2).build());
    const nodes = new Set(world.pods().map(({ spec }) => spec.nodeName ?? ''));
    for (const node of nodes) world.cluster.nodes.mute(node, true);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => truth(world).includes('engine:v2'));
    await world.run(5 * 60_000);
    expect(world.pods().map(nameOf)).toHaveLength(2);
    expect(world.status()).toMatchObject({ updatedReplicas: 0, availableReplicas: 1 });
    expect(specImages(world.group(0))).toEqual(['engine:v1']);
    for (const node of nodes) world.cluster.nodes.mute(node, false);
    await world.until(rolledOut);
  });
});
