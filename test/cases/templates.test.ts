import { describe, expect, it } from 'vitest';
import { type PodTemplate, type Role, validate } from '../../src/api/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import { applied, aWorld, condition, deletedPods, rolledOut } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { editRole, podCreates } from './helpers.ts';

const prefix = 'modelserving.volcano.sh/';
const containers = [{ name: 'c', image: 'engine:v1' }];

/** One Role as written here, in one group. */
const withRole = (role: Partial<Role>, name = 'ms') =>
  aModelServing({ name })
    .with((spec) => ({
      ...spec,
      template: {
        roles: [{ name: 'm', replicas: 1, workerReplicas: 0, entryTemplate: { spec: { containers } }, ...role }],
      },
    }))
    .build();

describe('labels in a template', () => {
  it('B112: never win over those that say which Pod it is; others stay', async () => {
    const world = await aWorld();
    const labels = {
      [`${prefix}entry`]: 'false',
      [`${prefix}revision`]: 'x',
      [`${prefix}name`]: 'other',
      [`${prefix}role-id`]: 'm-7',
      [`${prefix}team`]: 'red',
      app: 'llm',
    };
    await applied(world, withRole({ entryTemplate: { metadata: { labels }, spec: { containers } } }));
    expect(world.pods()[0]?.metadata.labels).toMatchObject({
      [`${prefix}entry`]: 'true',
      [`${prefix}revision`]: world.status().updateRevision,
      [`${prefix}name`]: 'ms',
      [`${prefix}role-id`]: 'm-0',
      [`${prefix}team`]: 'red',
      app: 'llm',
    });
    await world.setImage(world.live(), 'engine:v2');
    await world.until(rolledOut);
    expect(world.pods()).toHaveLength(1);
  });

  it('B105: copied from a live entry Pod make no entry of a worker', async () => {
    const world = await aWorld();
    const first = await applied(world, aModelServing({ name: 'source' }).role('m', { workers: 1 }).build());
    const { labels, annotations } = world.pods(first)[0]?.metadata ?? {};
    const copied: PodTemplate = {
      metadata: { labels: labels ?? {}, annotations: annotations ?? {} },
      spec: { containers },
    };
    await applied(world, withRole({ workerReplicas: 2, workerTemplate: copied }));
    await world.run(60_000);
    expect(world.pods({ namespace: 'default', name: 'ms' }).map(nameOf)).toEqual([
      'ms-0-m-0-0',
      'ms-0-m-0-1',
      'ms-0-m-0-2',
    ]);
    const entries = world
      .pods({ namespace: 'default', name: 'ms' })
      .map(({ metadata }) => metadata.labels?.[`${prefix}entry`]);
    expect(entries).toEqual(['true', undefined, undefined]);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('parts of a template that may be left out', () => {
  const annotated = { metadata: { annotations: { a: 'b' } }, spec: { containers } };
  const nothing = { metadata: null, spec: { containers } } as unknown as PodTemplate;
  const shapes: readonly (readonly [string, Partial<Role>, number])[] = [
    ['annotations without labels', { entryTemplate: annotated }, 1],
    ['no workerTemplate and no workers', { workerReplicas: 0 }, 1],
    ['a workerTemplate without workers', { workerReplicas: 0, workerTemplate: { spec: { containers } } }, 1],
    ['metadata that is null', { entryTemplate: nothing, workerReplicas: 1, workerTemplate: nothing }, 2],
  ];
  for (const [what, role, pods] of shapes) {
    it(`B115: ${what} builds`, async () => {
      const world = await aWorld();
      await applied(world, withRole(role));
      expect(world.pods()).toHaveLength(pods);
    });
  }

  it('B115: workers without a template are refused, and past admission hold up nobody else', async () => {
    const broken = withRole({ workerReplicas: 1 }, 'broken');
    expect(validate(broken).errors.map(({ field }) => field)).toEqual(['spec.template.roles[0].workerTemplate']);
    const world = await aWorld();
    await world.apply(broken);
    await world.run(60_000);
    expect(condition(world, 'Progressing')).toContain(
      'the Role m of spec.template.roles has workers and no workerTemplate',
    );
    await applied(world, withRole({}));
    expect(world.pods().map(nameOf)).toEqual(['ms-0-m-0-0']);
    await applied(world, withRole({ workerReplicas: 1, workerTemplate: { spec: { containers } } }, 'broken'));
    expect(world.pods()).toHaveLength(3);
  });
});

describe('a Role without instances', () => {
  it('B109: is accepted under Role updates, beside a maxUnavailable that nobody wrote, and can be scaled', async () => {
    const world = await aWorld();
    const manifest = aModelServing().role('p', { replicas: 0 }).role('d').byRole().recreate().build();
    expect(validate(manifest).errors).toEqual([]);
    await applied(world, manifest);
    expect(world.live().spec.template.roles[0]?.maxUnavailable).toBe(1);
    expect(validate(world.live()).errors).toEqual([]);
    await editRole(world, 'p', (role) => ({ ...role, replicas: 2 }));
    await world.until((now) => now.pods().length === 3 && rolledOut(now));
    await editRole(world, 'p', (role) => ({ ...role, replicas: 0 }));
    await world.until((now) => now.pods().length === 1 && rolledOut(now));
    expect(podCreates(world)).toHaveLength(3);
  });
});
