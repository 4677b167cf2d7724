import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/api/index.ts';
import { type Container, type ControllerRevision, type KubeObject, nameOf, type Pod } from '../../src/objects/index.ts';
import { compareRevisions, revisionDataOf } from '../../src/revision/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers } from '../world/edits.ts';
import { editRole, editSpec, podCreates, podDeletes } from './helpers.ts';

const byName = (world: World): Readonly<Record<string, ControllerRevision>> =>
  Object.fromEntries(world.seen.revisions.list().map((revision) => [nameOf(revision), revision]));

const dataByName = (world: World): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(byName(world)).map(([name, { data }]) => [name, data]));

const calm = (world: World): boolean => {
  const { status, metadata, spec } = world.live();
  return (
    status?.observedGeneration === metadata.generation &&
    status?.availableReplicas === spec.replicas &&
    condition(world, 'Available').startsWith('True')
  );
};

/** A Role whose template uses a good many of the fields there are. */
const richRole = (): Role => {
  const role = aModelServing()
    .role('m', {
      workers: 1,
      spec: (spec) => ({
        ...spec,
        terminationGracePeriodSeconds: 40,
        nodeSelector: { zone: 'a' },
        tolerations: [{ key: 'gpu', operator: 'Equal', value: 'x', effect: 'NoSchedule', tolerationSeconds: 5 }],
        volumes: [{ name: 'weights', hostPath: { path: '/weights', type: 'Directory' } }],
        containers: spec.containers.map((container) => ({
          ...container,
          command: ['run'],
          args: ['--port', '8000'],
          env: [{ name: 'MODE', value: 'fast' }],
          ports: [{ name: 'http', containerPort: 8000 }],
          resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2' } },
          readinessProbe: { httpGet: { path: '/ready', port: 8000 }, periodSeconds: 7, failureThreshold: 5 },
          securityContext: { runAsUser: 1000, readOnlyRootFilesystem: true },
          volumeMounts: [{ name: 'weights', mountPath: '/w', readOnly: true }],
        })),
      }),
    })
    .build().spec.template.roles[0];
  if (role === undefined) throw new Error('the builder has made no Role');
  return {
    ...role,
    entryTemplate: { ...role.entryTemplate, metadata: { labels: { app: 'llm' }, annotations: { a: 'b' } } },
  };
};

/** Every version of a value in which exactly one leaf is another one, with its path. */
function* changedLeaves(value: unknown, path = ''): Generator<readonly [path: string, changed: unknown]> {
  if (typeof value === 'string') yield [path, `${value}x`];
  else if (typeof value === 'number') yield [path, value + 1];
  else if (typeof value === 'boolean') yield [path, !value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [below, changed] of changedLeaves(item, `${path}[${index}]`))
        yield [below, value.with(index, changed)];
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      for (const [below, changed] of changedLeaves(item, `${path}.${key}`)) yield [below, { ...value, [key]: changed }];
    }
  }
}

describe('what an operator adds to Pods', () => {
  it('B118: is no part of a revision: Pods that an older one made without it stay', async () => {
    const world = await aWorld();
    const forget = world.cluster.admission({
      name: 'older-release',
      admit: ({ operation, resource, object }) => {
        if (operation !== 'CREATE' || resource !== 'pods' || object === undefined) return { allowed: true };
        return { allowed: true, object: withoutAdditions(object) };
      },
    });
    await applied(world, aModelServing().groups(2).role('m', { workers: 1 }).recreate().build());
    forget();
    const before = uids(world);
    world.killOperator();
    world.startOperator();
    await world.run(60_000);
    expect(uids(world)).toEqual(before);
    await deletePod(world, 'ms-0-m-0-1');
    await world.until((now) => ![undefined, before['ms-0-m-0-1']].includes(uids(now)['ms-0-m-0-1']) && rolledOut(now));
    const env = (group: number) =>
      world.group(group).map((pod) => pod.spec.containers[0]?.env?.map(({ name }) => name) ?? []);
    expect(env(0).every((names) => names.includes('GROUP_SIZE'))).toBe(true);
    expect(env(1)).toEqual([[], []]);
  });
});

/** The Pod as an operator would have made it that knows fewer variables and labels. */
function withoutAdditions(object: KubeObject): Pod {
  const pod = object as Pod;
  const { 'modelserving.volcano.sh/role-template-hash': _, ...labels } = pod.metadata.labels ?? {};
  const containers = pod.spec.containers.map(({ env: _env, ...container }): Container => container);
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, containers } };
}

describe('the history', () => {
  it('B120: keeps what it has stored; a template that comes back is the old revision under a new number', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(3).role('m').recreate().partition(2).build());
    const stored = { ...dataByName(world) };
    for (const image of ['engine:v2', 'engine:v3']) {
      await world.setImage(ms, image);
      await world.until((now) => specImages(now.group(2)).join() === image && calm(now));
      expect(dataByName(world)).toMatchObject(stored);
      Object.assign(stored, dataByName(world));
    }
    const numbers = () => Object.values(byName(world)).map(({ revision }) => revision);
    const first = `ms-${world.status().currentRevision}`;
    expect(new Set(numbers()).size).toBe(3);
    await world.setImage(ms, 'engine:v1');
    await world.until((now) => specImages(now.pods()).join() === 'engine:v1' && calm(now));
    await world.run(5_000);
    expect(dataByName(world)).toEqual(stored);
    expect(byName(world)[first]?.revision).toBe(Math.max(...numbers()));
  });

  it('B121: keeps the revision that a protected group stands on, and makes the group from it again', async () => {
    const world = await aWorld();
    const manifest = aModelServing().groups(2).role('m').recreate().partition(1);
    const ms = await applied(world, manifest.with((spec) => ({ ...spec, revisionHistoryLimit: 0 })).build());
    for (const image of ['engine:v2', 'engine:v3', 'engine:v4']) {
      await world.setImage(ms, image);
      await world.until((now) => specImages(now.group(1)).join() === image && calm(now));
    }
    await world.run(60_000);
    expect(world.seen.revisions.list()).toHaveLength(2);
    await deletePod(world, 'ms-0-m-0-0');
    await world.until((now) => now.pods().length === 2 && calm(now));
    expect([0, 1].map((group) => specImages(world.group(group)).join())).toEqual(['engine:v1', 'engine:v4']);
  });
});

describe('what makes a new revision', () => {
  it('B122: an image, a security context, the period of a probe, each by itself', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('m').recreate().build());
    const edits: readonly ((container: Container) => Container)[] = [
      (container) => ({ ...container, image: 'engine:v2' }),
      (container) => ({ ...container, securityContext: { runAsUser: 1000 } }),
      (container) => ({ ...container, readinessProbe: { ...container.readinessProbe, periodSeconds: 2 } }),
    ];
    for (const [index, edit] of edits.entries()) {
      await editRole(world, 'm', (role) => withEntryContainers(role, edit));
      await world.until(rolledOut);
      expect(world.seen.revisions.list()).toHaveLength(index + 2);
      expect(podDeletes(world)).toHaveLength(index + 1);
    }
  });

  it('B122: any leaf of a template', () => {
    const role = richRole();
    const dataWith = (changed: Role) => revisionDataOf({ replicas: 1, template: { roles: [changed] } });
    const before = dataWith(role);
    let leaves = 0;
    for (const template of ['entryTemplate', 'workerTemplate'] as const) {
      for (const [path, changed] of changedLeaves(role[template], template)) {
        const next = dataWith({ ...role, [template]: changed });
        expect(compareRevisions(before, next), path).not.toBe('same');
        leaves += 1;
      }
    }
    expect(leaves).toBeGreaterThan(60);
  });

  it('B117: nothing that means the same: a whole template written out as the API server would store it', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(2).role('m', { workers: 1 }).recreate().build());
    const before = uids(world);
    const creates = podCreates(world).length;
    await editSpec(world, (spec) => ({
      ...spec,
      template: { ...spec.template, roles: spec.template.roles.map((role) => withEntryContainers(role, writtenOut)) },
    }));
    await world.until(rolledOut);
    await world.run(60_000);
    expect(uids(world)).toEqual(before);
    expect(podCreates(world)).toHaveLength(creates);
    expect(world.seen.revisions.list()).toHaveLength(1);
  });
});

/** With defaults that the API server fills in for Pods. */
function writtenOut(container: Container): Container {
  const probe = { timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3, ...container.readinessProbe };
  return {
    ...container,
    resources: {},
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    readinessProbe: { ...probe, httpGet: { scheme: 'HTTP', path: '/ready', port: 8000 } },
  };
}
