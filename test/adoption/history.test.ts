import { describe, expect, it } from 'vitest';
import { decodeUnits, nameLabel, revisionLabel } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import {
  type ControllerRevision,
  jsonEqual,
  nameOf,
  type ObjectMeta,
  type Pod,
  uidOf,
} from '../../src/objects/index.ts';
import { buildRevision, revisionOf } from '../../src/revision/index.ts';
import { readMarker } from '../../src/rollout/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, rolledOut } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';

/** `number image` of every revision on record, oldest first. */
const history = (world: World): readonly string[] =>
  world.seen.revisions
    .list()
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ revision, data }) => `${revision} ${/engine:v\d/.exec(JSON.stringify(data))?.[0]}`);

describe('the history of revisions', () => {
  it('numbers a revision anew that is returned to, and writes nothing further', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().image('engine:v1').inPlace().build());
    for (const image of ['engine:v2', 'engine:v3', 'engine:v1']) {
      await world.setImage(ms, image);
      await world.until(rolledOut, 60 * 60_000);
    }
    expect(history(world)).toEqual(['2 engine:v2', '3 engine:v3', '4 engine:v1']);
    expect(world.ledger.writes({ resource: 'controllerrevisions', verb: 'create' })).toHaveLength(3);
    const mark = world.ledger.mark();
    await world.run(60 * 60_000);
    expect(world.ledger.since(mark).writes({ resource: 'controllerrevisions' })).toEqual([]);
  });

  it('drops the oldest that nothing refers to, beyond revisionHistoryLimit', async () => {
    const world = await aWorld();
    const limited = aModelServing()
      .image('engine:v1')
      .inPlace()
      .with((spec) => ({ ...spec, revisionHistoryLimit: 2 }));
    const ms = await applied(world, limited.build());
    for (const image of ['engine:v2', 'engine:v3', 'engine:v4', 'engine:v5']) {
      await world.setImage(ms, image);
      await world.until(rolledOut, 60 * 60_000);
    }
    await world.until(() => history(world).length === 3);
    expect(history(world)).toEqual(['3 engine:v3', '4 engine:v4', '5 engine:v5']);
  });

  it('drops nothing that a Pod, an open update, a failure or the status refers to, at any moment', async () => {
    const world = await aWorld({
      images: { 'engine:v3': { pullError: 'no such image' }, 'engine:v2': { readyAfterMs: 20_000 } },
    });
    const unlimited = aModelServing().groups(3).image('engine:v1').inPlace().partition(1).deadline(60).recovery('None');
    const ms = await applied(world, unlimited.with((spec) => ({ ...spec, revisionHistoryLimit: 0 })).build());
    for (const [image, runMs] of [
      ['engine:v2', 5_000],
      ['engine:v3', 120_000],
      ['engine:v4', 2_000],
      ['engine:v2', 300_000],
      ['engine:v5', 600_000],
    ] as const) {
      await world.setImage(ms, image);
      await world.run(runMs);
    }
    expect(rudePrunings(world)).toEqual([]);
    expect(world.ledger.deletes('controllerrevisions').length).toBeGreaterThan(2);
    expect(history(world)).toEqual(['1 engine:v1', expect.stringContaining('engine:v5')]);
  });
});

/** Deletes of revisions that something referred to at that very moment, read off the ledger. */
const rudePrunings = (world: World): readonly string[] => {
  const pods = new Map<string, Pod>();
  let status = world.live().status;
  const rude: string[] = [];
  for (const { resource, name, object, verb } of world.ledger.writes()) {
    if (resource === 'modelservings') status = (object as { readonly status?: typeof status }).status;
    if (resource === 'pods') pods.set(uidOf(object), object as Pod);
    if (resource === 'pods' && verb === 'delete' && (object as Pod).metadata.deletionTimestamp === undefined)
      pods.delete(uidOf(object));
    if (resource !== 'controllerrevisions' || verb !== 'delete') continue;
    const completed = decodeUnits(status?.units).reduce((most, unit) => Math.max(most, unit.completed), 0);
    const used = new Set([
      status?.currentRevision,
      status?.updateRevision,
      ...(status?.failures ?? []).map(({ revision }) => revision),
      ...[...pods.values()].flatMap((pod) => {
        const marker = readMarker(pod, world.live().metadata.uid ?? '');
        const open =
          marker.state === 'valid' && marker.marker.attempt > completed
            ? [marker.marker.source, marker.marker.target]
            : [];
        return [pod.metadata.labels?.[revisionLabel], ...open];
      }),
    ]);
    if (used.has(revisionOf(object as ControllerRevision))) rude.push(name);
  }
  return rude;
};

describe('what somebody takes away by hand', () => {
  const touched = (world: World, mark: number): readonly string[] =>
    world.ledger
      .since(mark)
      .writes({ by: operatorUser, resource: 'pods' })
      .filter(({ verb, object, previous }) => verb !== 'patch' || !jsonEqual(specOf(object), specOf(previous)))
      .map(({ verb, name }) => `${verb} ${name}`);
  const specOf = (object: unknown): unknown => (object as Pod | undefined)?.spec;

  it('the record of the revision: it is written again under its name', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(2).inPlace().build());
    const [record] = world.seen.revisions.list();
    const mark = world.ledger.mark();
    await world.finish(
      world.client.delete(resources.controllerrevisions, { namespace: 'default', name: nameOf(record ?? ms) }),
    );
    await world.until(() => world.seen.revisions.list().length === 1);
    expect(world.seen.revisions.list().map(nameOf)).toEqual([nameOf(record ?? ms)]);
    await world.run(60_000);
    expect(touched(world, mark)).toEqual([]);
  });

  it.each([
    ['a revision label', { labels: { [revisionLabel]: null } }],
    ['the label of the entry', { labels: { 'modelserving.volcano.sh/entry': null } }],
    ['a label, by a wrong one', { labels: { [revisionLabel]: 'x', 'modelserving.volcano.sh/role-id': 'r-7' } }],
  ])('%s: it is put back, and nothing restarts', async (_, metadata) => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(2).inPlace().build());
    const labels = world.pods().map((pod) => pod.metadata.labels);
    const mark = world.ledger.mark();
    const ref = { namespace: 'default', name: 'ms-1-r-0-0' };
    await world.finish(world.client.patch(resources.pods, ref, { type: 'merge', body: { metadata } }));
    await world.run(60_000);
    expect(world.pods().map((pod) => pod.metadata.labels)).toEqual(labels);
    expect(touched(world, mark)).toEqual([]);
    expect(world.status().availableReplicas).toBe(2);
  });
});

describe('a name that is taken', () => {
  it.each<[string, () => Partial<ObjectMeta>]>([
    ['by a revision of its own with other data', () => ({})],
    ['by a revision that was left behind by another one of that name', () => ({ ownerReferences: [] })],
    ['by a stranger that no cache shows', () => ({ labels: { app: 'x' }, ownerReferences: [] })],
  ])('%s: status.collisionCount goes up, and the revision gets another name', async (_, metadata) => {
    const world = await aWorld({ startOperator: false });
    const ms = await world.apply(aModelServing().build());
    const wanted = buildRevision(world.live(), []);
    const taken: ControllerRevision = {
      ...wanted,
      metadata: { ...wanted.metadata, ...metadata() },
      data: { other: true },
    };
    await world.finish(world.client.create(resources.controllerrevisions, taken));
    await world.finish(world.startOperator().running);
    await world.until(rolledOut);
    expect(world.status().collisionCount).toBe(1);
    expect(world.status().updateRevision).not.toBe(revisionOf(wanted));
    expect(new Set(world.pods().map((pod) => pod.metadata.labels?.[revisionLabel]))).toEqual(
      new Set([world.status().updateRevision]),
    );
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut, 60 * 60_000);
    expect(world.status().collisionCount).toBe(1);
    expect(world.ledger.since(mark).writes({ resource: 'controllerrevisions', verb: 'create' })).toHaveLength(1);
    const kept = await world.finish(
      world.client
        .get(resources.controllerrevisions, { namespace: 'default', name: nameOf(taken) })
        .catch(() => undefined),
    );
    if (taken.metadata.labels?.[nameLabel] === undefined) expect(kept?.data).toEqual({ other: true });
  });

  it('a create that is refused for another reason is named in the condition, and tried again', async () => {
    const world = await aWorld({ startOperator: false });
    let refuses = true;
    world.cluster.admission({
      name: 'policy',
      admit: ({ resource, operation }) =>
        refuses && resource === 'controllerrevisions' && operation === 'CREATE'
          ? { allowed: false, code: 403, message: 'no revisions today' }
          : { allowed: true },
    });
    await world.apply(aModelServing().build());
    await world.finish(world.startOperator().running);
    await world.run(60_000);
    expect(world.pods()).toEqual([]);
    expect(world.status().collisionCount).toBeUndefined();
    expect(condition(world, 'Progressing')).toContain('no revisions today');
    refuses = false;
    await world.until(rolledOut);
  });
});
