import { describe, expect, it } from 'vitest';
import type { ModelServing, ModelServingSpec } from '../../src/api/index.ts';
import type { Container, PodSpec } from '../../src/objects/index.ts';
import { aModelServing, type RoleOptions } from '../world/builders.ts';
import { withRoles } from '../world/edits.ts';
import { applied, aWorld, places, rolledOut, specImages, uids } from './world.ts';

const oneGroup = (spec?: RoleOptions['spec'], image = 'engine:v1') =>
  aModelServing()
    .groups(1)
    .role('r', { workers: 1, image, ...(spec === undefined ? {} : { spec }) })
    .inPlace();

/** The same spec change on both templates of every Role. */
const editSpecs =
  (change: (spec: PodSpec) => PodSpec) =>
  (live: ModelServing): ModelServing =>
    withRoles(live, (role) => ({
      ...role,
      entryTemplate: { ...role.entryTemplate, spec: change(role.entryTemplate.spec ?? { containers: [] }) },
      ...(role.workerTemplate === undefined
        ? {}
        : { workerTemplate: { ...role.workerTemplate, spec: change(role.workerTemplate.spec ?? { containers: [] }) } }),
    }));

const toImage =
  (image: string) =>
  (spec: PodSpec): PodSpec => ({
    ...spec,
    containers: spec.containers.map((container) => (container.name === 'c' ? { ...container, image } : container)),
  });

const alsoSpec =
  (change: (spec: ModelServingSpec) => ModelServingSpec) =>
  (live: ModelServing): ModelServing => ({ ...live, spec: change(editSpecs(toImage('engine:v2'))(live).spec) });

const initial = (image: string, restartPolicy?: string): Container => ({
  name: 'init',
  image,
  ...(restartPolicy === undefined ? {} : { restartPolicy }),
});

interface Case {
  readonly id: string;
  readonly what: string;
  readonly start: ModelServing;
  readonly edit: (live: ModelServing) => ModelServing;
  /** What the Fallback event must name; all of them. */
  readonly names: readonly RegExp[];
}

const second: Container = { name: 'd', image: 'helper:1' };
const withTwo = (spec: PodSpec): PodSpec => ({ ...spec, containers: [...spec.containers, second] });

const cases: readonly Case[] = [
  {
    id: '6',
    what: 'the image of an init container',
    start: oneGroup((spec) => ({ ...spec, initContainers: [initial('init:v1')] })).build(),
    edit: editSpecs((spec) => ({ ...spec, initContainers: [initial('init:v2')] })),
    names: [/initContainers/],
  },
  {
    id: '6',
    what: 'the image of a sidecar',
    start: oneGroup((spec) => ({ ...spec, initContainers: [initial('side:v1', 'Always')] })).build(),
    edit: editSpecs((spec) => ({ ...spec, initContainers: [initial('side:v2', 'Always')] })),
    names: [/initContainers/],
  },
  {
    id: '7',
    what: 'the order of containers',
    start: oneGroup(withTwo).build(),
    edit: editSpecs((spec) => ({ ...spec, containers: spec.containers.toReversed() })),
    names: [/container names or order|order/i],
  },
  {
    id: '7',
    what: 'the name of a container',
    start: oneGroup().build(),
    edit: editSpecs((spec) => ({ ...spec, containers: spec.containers.map((c) => ({ ...c, name: 'other' })) })),
    names: [/container/i],
  },
  {
    id: '8',
    what: 'workerReplicas beside an image',
    start: oneGroup().build(),
    edit: (live) => withRoles(editSpecs(toImage('engine:v2'))(live), (role) => ({ ...role, workerReplicas: 2 })),
    names: [/workerReplicas/],
  },
  {
    id: '9',
    what: 'scheduler, plugins, gang policy and topology beside an image',
    start: oneGroup().build(),
    edit: alsoSpec((spec) => ({
      ...spec,
      schedulerName: 'another-scheduler',
      plugins: [{ name: 'demo-pod-tweaks', type: 'BuiltIn', config: {} }],
      template: {
        ...spec.template,
        gangPolicy: { minRoleReplicas: { r: 1 } },
        networkTopology: { groupPolicy: { mode: 'soft' as const } },
      },
    })),
    names: [/schedulerName/, /4 reasons/],
  },
  {
    id: '10',
    what: 'an image where restartPolicy is not Always',
    start: oneGroup((spec) => ({ ...spec, restartPolicy: 'OnFailure' })).build(),
    edit: editSpecs(toImage('engine:v2')),
    names: [/restartPolicy/],
  },
  {
    id: '11',
    what: 'an image where a container has restart rules of its own',
    start: oneGroup((spec) => ({
      ...spec,
      containers: spec.containers.map((container) => ({
        ...container,
        restartPolicy: 'Always',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
      })),
    })).build(),
    edit: editSpecs(toImage('engine:v2')),
    names: [/restartPolicy/],
  },
  {
    id: '12',
    what: 'a tag that flips the omitted pull policy',
    start: oneGroup(undefined, 'engine:latest').build(),
    edit: editSpecs(toImage('engine:v2')),
    names: [/pull ?policy/i],
  },
];

describe('what an image patch cannot apply is recreated, and the event says why', () => {
  for (const { id, what, start, edit, names } of cases) {
    it(`${id}: ${what}`, async () => {
      const world = await aWorld();
      const ms = await applied(world, start);
      const before = uids(world);
      await world.edit(ms, edit);
      await world.until(rolledOut);
      const [event, ...more] = world.events('InPlaceUpdateFallback');
      expect(more).toEqual([]);
      for (const name of names) expect(event?.message).toMatch(name);
      for (const [name, uid] of Object.entries(uids(world))) expect(before[name]).not.toBe(uid);
    });
  }
});

describe('what an image patch can apply goes in place', () => {
  const explicit =
    (policy: string) =>
    (spec: PodSpec): PodSpec => ({
      ...spec,
      containers: spec.containers.map((container) => ({ ...container, imagePullPolicy: policy as 'Always' })),
    });

  it('13: a tag that would flip the pull policy, where it is written out', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup(explicit('Always'), 'engine:latest').build());
    const before = places(world);
    await world.edit(ms, editSpecs(toImage('engine:v2')));
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('14: a new tag beside a pull policy that is written out as it was meant', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup().build());
    const before = places(world);
    await world.edit(ms, (live) => editSpecs(explicit('IfNotPresent'))(editSpecs(toImage('engine:v2'))(live)));
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(world.events('InPlaceUpdateFallback')).toEqual([]);
  });
});
