import { describe, expect, it } from 'vitest';
import { type ModelServing, modelServingCrd } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { type ControllerRevision, nameOf, type Pod, type PodSpec } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { type Recorded, recordedByKthena } from '../support/recorded.ts';
import { leftByKthena } from './left-by-kthena.ts';
import {
  edited,
  expectUntouched,
  images,
  inPlaceWith,
  isAvailable,
  livesOf,
  losePod,
  madeAnew,
  rollOutInPlace,
  runs,
  seats,
  settled,
  type TakenOver,
  takenOver,
  touches,
  writes,
} from './taken-over.ts';

const revision = 'modelserving.volcano.sh/revision';
const hash = 'modelserving.volcano.sh/role-template-hash';

// ---- ways to change a recorded state ---------------------------------------------------------------------------

type Change = (recorded: Recorded) => Recorded;

const both =
  (...changes: readonly Change[]): Change =>
  (recorded) =>
    changes.reduce((state, change) => change(state), recorded);

/** Changes the Pods whose names match. */
const podsNamed =
  (pattern: RegExp, change: (pod: Pod) => Pod): Change =>
  (recorded) => ({ ...recorded, pods: recorded.pods.map((pod) => (pattern.test(nameOf(pod)) ? change(pod) : pod)) });

const labelled =
  (labels: Readonly<Record<string, string | undefined>>) =>
  (pod: Pod): Pod => {
    const entries = Object.entries({ ...pod.metadata.labels, ...labels }).filter(([, value]) => value !== undefined);
    return { ...pod, metadata: { ...pod.metadata, labels: Object.fromEntries(entries) as Record<string, string> } };
  };

const withImage =
  (image: string) =>
  (pod: Pod): Pod => ({
    ...pod,
    spec: { ...pod.spec, containers: pod.spec.containers.map((container) => ({ ...container, image })) },
  });

const without =
  (...names: readonly string[]): Change =>
  (recorded) => ({ ...recorded, revisions: recorded.revisions.filter((it) => !names.includes(nameOf(it))) });

const status =
  (change: NonNullable<ModelServing['status']>): Change =>
  (recorded) => ({
    ...recorded,
    modelServing: { ...recorded.modelServing, status: { ...recorded.modelServing.status, ...change } },
  });

const spec =
  (change: (spec: ModelServing['spec']) => ModelServing['spec']): Change =>
  (recorded) => ({
    ...recorded,
    modelServing: { ...recorded.modelServing, spec: change(recorded.modelServing.spec) },
  });

const inPlace = spec((it) => ({
  ...it,
  rolloutStrategy: {
    ...it.rolloutStrategy,
    type: it.rolloutStrategy?.type ?? 'ServingGroupRollingUpdate',
    updateMethod: 'InPlace',
  },
}));

/** kthena's record of what role-updated was before its update: the templates of fresh, which share its hashes. */
const withRecordBefore: Change = (recorded) => {
  const [record] = recordedByKthena('fresh').revisions;
  if (record === undefined) throw new Error('fresh.json has a record');
  const name = 'rolemix-68985b448c';
  const renamed: ControllerRevision = {
    ...record,
    metadata: {
      ...record.metadata,
      name,
      labels: { ...record.metadata.labels, 'modelserving.volcano.sh/name': 'rolemix' },
    },
  };
  return { ...recorded, revisions: [...recorded.revisions, renamed] };
};

/** Half of the decode instances are still what they were. */
const midRoleRollout: Change = both(
  podsNamed(/decode-0-0$/, (pod) =>
    withImage('engine:v1')(labelled({ [revision]: '68985b448c', [hash]: '7447d8956d' })(pod)),
  ),
  status({
    currentRevision: '68985b448c',
    updatedReplicas: 0,
    conditions: [
      {
        type: 'UpdateInProgress',
        status: 'True',
        reason: 'GroupsUpdating',
        message: 'Some groups is progressing: [0 1], Updated Groups are: []',
        lastTransitionTime: '2026-12-01T05:14:18Z',
      },
    ],
  }),
);

const untouchedPods = (it: TakenOver, pattern: RegExp): void => {
  expect(touches(it.world, it.mark).filter((touch) => pattern.test(touch))).toEqual([]);
};

const fallbacks = (world: World): readonly string[] =>
  world.events('InPlaceUpdateFallback').map(({ message }) => message ?? '');

// ---- in the middle ------------------------------------------------------------------------------------------------

describe('taken over in the middle of an update by Role', () => {
  it('goes on with the outdated instances, one by one, and leaves the other Role alone', async () => {
    const it = await takenOver('role-updated', both(withRecordBefore, midRoleRollout));
    await it.world.until(settled);
    expect(madeAnew(it.world, it.before.lives)).toEqual(['rolemix-0-decode-0-0', 'rolemix-1-decode-0-0']);
    untouchedPods(it, /prefill|decode-1/);
    expect(it.world.status()).toMatchObject({ currentRevision: '78fd68d998', updateRevision: '78fd68d998' });
  });

  it('goes on in place where the method is InPlace', async () => {
    const it = await takenOver('role-updated', both(withRecordBefore, midRoleRollout, inPlace));
    await it.world.until(settled, 60 * 60_000);
    expect(seats(livesOf(it.world))).toEqual(seats(it.before.lives));
    expect(images(it.world)).toEqual(['engine:v2', 'engine:v1']);
    untouchedPods(it, /prefill|decode-1/);
  });

  it('without a record of the old revision, recreates what is outdated within the budget and says why', async () => {
    const it = await takenOver('role-updated', both(midRoleRollout, inPlace));
    await it.world.until(settled);
    expect(madeAnew(it.world, it.before.lives)).toEqual(['rolemix-0-decode-0-0', 'rolemix-1-decode-0-0']);
    untouchedPods(it, /prefill|decode-1/);
    expect(fallbacks(it.world)).toHaveLength(2);
    expect(fallbacks(it.world)[0]).toContain('missing in the history');
  });

  it('believes no status that names another spec than its Pods show', async () => {
    // kthena wrote the newest generation beside the revision of the spec before, and stopped.
    const it = await takenOver(
      'role-updated',
      spec((old) => inPlaceWith(old, 'engine:v3', 'decode')),
    );
    await it.world.until(settled);
    expect(images(it.world)).toEqual(['engine:v3', 'engine:v1']);
    untouchedPods(it, /prefill/);
    expect(it.world.status().updateRevision).not.toBe('78fd68d998');
  });
});

describe('edited while no controller ran', () => {
  it('rolls out in place from a record of kthena', async () => {
    const world = await leftByKthena('fresh');
    const before = livesOf(world);
    await rollOutInPlace(world, 'engine:v2');
    await world.finish(world.startOperator().running);
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    expect(seats(livesOf(world))).toEqual(seats(before));
    expect(fallbacks(world)).toEqual([]);
  });

  it('recreates only what nobody can tell the origin of, where kthena left no record', async () => {
    const world = await leftByKthena('role-updated');
    const before = livesOf(world);
    await rollOutInPlace(world, 'engine:v3', 'decode');
    await world.finish(world.startOperator().running);
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v3', 'engine:v1']);
    expect(madeAnew(world, before).every((name) => name.includes('decode'))).toBe(true);
  });
});

// ---- half taken over ----------------------------------------------------------------------------------------------

describe('an operator that dies while it takes over', () => {
  it.each(['role-updated', 'partitioned'] as const)(
    '%s: is followed by one that ends in the same place, whatever was written',
    async (state) => {
      const undisturbed = await takenOver(state);
      const wanted = endState(undisturbed.world);
      const count = writes(undisturbed.world, undisturbed.mark).length;
      for (let write = 1; write <= count; write += 1) {
        for (const at of ['before-send', 'after-commit'] as const) {
          const world = await leftByKthena(state);
          const before = { lives: livesOf(world), status: world.status() };
          const mark = world.ledger.mark();
          world.startOperator();
          world.killOperator({ write, at });
          await world.run(60_000);
          expect(world.operator().process.isAlive()).toBe(false);
          await world.finish(world.startOperator().running);
          await world.run(5 * 60_000);
          expect(endState(world), `killed ${at} write ${write}`).toEqual(wanted);
          await expectUntouched({ world, before, mark });
        }
      }
    },
    120_000,
  );
});

const endState = (world: World): unknown => ({
  pods: world.pods().map(({ metadata }) => [metadata.name, metadata.labels]),
  revisions: world.seen.revisions
    .list()
    .map(({ metadata, revision: number, data }) => [metadata.name, number, metadata.annotations, data])
    .toSorted(),
  status: { ...world.status(), conditions: world.status().conditions?.map(({ type, status: is }) => [type, is]) },
});

// ---- labels and records that lack something --------------------------------------------------------------------------

describe('labels that do not tell what a Pod is', () => {
  it('an unknown revision on one Pod: its hash tells which Pods share its template', async () => {
    const it = await takenOver('fresh', podsNamed(/fresh-0-prefill-0-1/, labelled({ [revision]: 'gone' })));
    await expectUntouched(it);
    expect(runs(it.world)['fresh-0-prefill-0-1']).toBe('engine:v1 68985b448c');
  });

  it('no hash on any Pod, as kthena 0.3 left them: they are looked at', async () => {
    const it = await takenOver('role-updated', podsNamed(/./, labelled({ [hash]: undefined })));
    await expectUntouched(it);
    expect(new Set(it.world.pods().map(({ metadata }) => metadata.labels?.[revision]))).toEqual(
      new Set(['78fd68d998']),
    );
  });

  it('no revision, no hash and an injected sidecar: a rolled out status and the template are enough', async () => {
    const sidecar: PodSpec['containers'][number] = { name: 'proxy', image: 'mesh:v7' };
    const inject = (pod: Pod): Pod => ({
      ...pod,
      metadata: { ...pod.metadata, annotations: { 'mesh/status': 'injected', ...pod.metadata.annotations } },
      spec: { ...pod.spec, containers: [...pod.spec.containers, sidecar] },
    });
    const it = await takenOver(
      'role-updated',
      podsNamed(/prefill/, (pod) => inject(labelled({ [revision]: undefined, [hash]: undefined })(pod))),
    );
    await expectUntouched(it);
    await rollOutInPlace(it.world, 'engine:v3', 'prefill');
    await it.world.until(settled, 60 * 60_000);
    expect(seats(livesOf(it.world))).toEqual(seats(it.before.lives));
  });

  it('identity labels that a template had won are put right', async () => {
    const group = 'modelserving.volcano.sh/group-name';
    const it = await takenOver('fresh', podsNamed(/./, labelled({ [group]: 'group-0' })));
    await expectUntouched(it);
    expect([...new Set(it.world.pods().map(({ metadata }) => metadata.labels?.[group]))]).toEqual([
      'fresh-0',
      'fresh-1',
    ]);
  });

  it('an unknown revision and another template: it says so, and makes that group again', async () => {
    const odd = (pod: Pod): Pod => withImage('engine:odd')(labelled({ [revision]: 'gone', [hash]: undefined })(pod));
    const it = await takenOver('fresh', both(podsNamed(/fresh-0-decode-0-0/, odd), inPlace));
    await it.world.until(settled);
    expect(images(it.world)).toEqual(['engine:v1']);
    expect(madeAnew(it.world, it.before.lives).every((name) => name.startsWith('fresh-0-'))).toBe(true);
    untouchedPods(it, /fresh-1-/);
    expect(fallbacks(it.world)[0]).toContain('missing in the history');
  });
});

describe('records that are not there', () => {
  it('and a Pod that no record explains: the condition names it while its group waits to be made again', async () => {
    const odd = (pod: Pod): Pod => withImage('engine:odd')(labelled({ [revision]: 'gone', [hash]: undefined })(pod));
    const paused: Change = (recorded) => {
      const { modelServing } = recorded;
      const annotations = { 'modelserving.volcano.sh/paused': 'true' };
      return { ...recorded, modelServing: { ...modelServing, metadata: { ...modelServing.metadata, annotations } } };
    };
    const it = await takenOver('fresh', both(podsNamed(/fresh-0-decode-0-0/, odd), paused));
    untouchedPods(it, /./);
    const condition = it.world.status().conditions?.find(({ status: is }) => is === 'True');
    expect(condition?.message).toContain('Pod fresh-0-decode-0-0 carries revision gone, which is not on record');
  });

  it('none at all in group mode: the status names the revision, and it is written down', async () => {
    const it = await takenOver('fresh', without('fresh-68985b448c'));
    await expectUntouched(it);
    expect(it.world.seen.revisions.list().map(nameOf)).toEqual(['fresh-68985b448c']);
    await rollOutInPlace(it.world, 'engine:v2');
    await it.world.until(settled, 60 * 60_000);
    expect(seats(livesOf(it.world))).toEqual(seats(it.before.lives));
  });

  it('none of what the partition protects: it is left alone, and made from the newest when nothing of it is left', async () => {
    const it = await takenOver('partitioned', without('part-68985b448c'));
    const { world, before } = it;
    untouchedPods(it, /./);
    expect(world.status()).toMatchObject({ currentRevision: '68985b448c', availableReplicas: 3, updatedReplicas: 2 });
    await losePod(world, 'part-0-prefill-0-1');
    await world.run(5 * 60_000);
    expect(world.status()).toMatchObject({ availableReplicas: 2 });
    expect(world.status().conditions?.find(({ status: is }) => is === 'True')?.message).toContain('not in the history');
    for (const pod of world.group(0, world.live())) await losePod(world, nameOf(pod));
    await world.until(isAvailable);
    expect(madeAnew(world, before.lives)).toHaveLength(3);
    expect(new Set(Object.values(runs(world, 0)))).toEqual(new Set(['engine:v2 799857d9c6']));
  });

  it('in the newer layout of kthena, they are read as well', async () => {
    const it = await takenOver('partitioned', (recorded) => ({
      ...recorded,
      revisions: recorded.revisions.map(inNewerLayout),
    }));
    await expectUntouched(it);
    await rollOutInPlace(it.world, 'engine:v1');
    await it.world.until(settled, 60 * 60_000);
    expect(it.world.status().currentRevision).toBe('68985b448c');
    expect(seats(livesOf(it.world))).toEqual(seats(it.before.lives));
  });
});

/** As kthena writes since its pull request 1643, under whatever name. */
const inNewerLayout = (record: ControllerRevision): ControllerRevision => {
  const roles = ((record.data?.['data'] ?? []) as readonly Record<string, unknown>[])
    .map(({ replicas: _r, maxUnavailable: _m, ...role }) => role)
    .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
  return {
    ...record,
    metadata: { ...record.metadata, annotations: { 'modelserving.volcano.sh/revision-data-version': 'v1' } },
    data: { spec: { schedulerName: 'default-scheduler', template: { roles } } },
  };
};

describe("kthena's own CRD, still installed", () => {
  it('no Pod is touched, and the condition of the next edit says which CRD to install', async () => {
    const it = await takenOver('fresh', undefined, { crd: crdOfKthena() });
    await expectUntouched(it);
    await edited(it.world, (old) => ({
      ...old,
      template: { ...old.template, roles: withNewImage(old.template.roles) },
    }));
    await it.world.run(60_000);
    expect(touches(it.world, it.mark)).toEqual([]);
    expect(it.world.status().conditions?.find(({ status: is }) => is === 'True')).toMatchObject({
      reason: 'CRDOutdated',
    });
  });
});

const withNewImage = (roles: ModelServing['spec']['template']['roles']): typeof roles =>
  JSON.parse(JSON.stringify(roles).replaceAll('engine:v1', 'engine:v2'));

/** It knows none of the fields that are new, so the API server drops them. */
const crdOfKthena = (): typeof modelServingCrd => {
  const text = JSON.stringify(modelServingCrd, (key, value) => (ours.includes(key) ? undefined : value));
  return JSON.parse(text);
};

const ours = [
  'units',
  'failures',
  'recreations',
  'collisionCount',
  'updateMethod',
  'progressDeadlineSeconds',
  'maxSurge',
  'revisionHistoryLimit',
];

describe('what kthena never rolled out', () => {
  it('an edit of the scheduler alone: taking over does not either; the next update recreates', async () => {
    const it = await takenOver(
      'fresh',
      spec((old) => ({ ...old, schedulerName: 'other' })),
    );
    await expectUntouched(it);
    await rollOutInPlace(it.world, 'engine:v2');
    await it.world.until((world) => fallbacks(world).length > 0);
    expect(fallbacks(it.world)[0]).toContain('does not record schedulerName');
  });

  it('edits of Pods by hand: they stay as they are', async () => {
    const world = await leftByKthena('fresh');
    const edit = (name: string, body: unknown): Promise<unknown> =>
      world.finish(world.client.patch(resources.pods, { namespace: 'fx', name }, { type: 'strategic', body }));
    await edit('fresh-0-decode-0-0', { spec: { containers: [{ name: 'engine', image: 'engine:hotfix' }] } });
    await edit('fresh-1-decode-0-0', { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } });
    await world.run(60_000);
    const before = { lives: livesOf(world), status: world.status() };
    const mark = world.ledger.mark();
    await world.finish(world.startOperator().running);
    await world.run(60_000);
    await expectUntouched({ world, before, mark });
    await rollOutInPlace(world, 'engine:v2');
    await world.until(settled, 60 * 60_000);
    expect(images(world)).toEqual(['engine:v2']);
    expect(seats(livesOf(world))).toEqual(seats(before.lives));
  });

  it('a deletion that was under way: what is left of the group is filled', async () => {
    const it = await takenOver('fresh', (recorded) => ({
      ...recorded,
      pods: recorded.pods.filter((pod) => !/fresh-1-(decode|prefill-0)/.test(nameOf(pod))),
    }));
    await it.world.until(settled);
    expect(madeAnew(it.world, it.before.lives)).toEqual([
      'fresh-1-decode-0-0',
      'fresh-1-prefill-0-0',
      'fresh-1-prefill-0-1',
    ]);
    expect(it.world.ledger.since(it.mark).deletes('pods')).toEqual([]);
  });

  it('scaled to zero, all records gone: scales up again', async () => {
    const zero = both(
      (recorded) => ({ ...recorded, pods: [], services: [], revisions: [] }),
      spec((old) => ({ ...old, replicas: 0 })),
      status({ replicas: 0, availableReplicas: 0, updatedReplicas: 0, currentReplicas: 0 }),
    );
    const it = await takenOver('fresh', zero);
    await expectUntouched(it);
    await edited(it.world, (old) => ({ ...old, replicas: 1 }));
    await it.world.until(settled);
    expect(new Set(Object.values(runs(it.world)))).toEqual(new Set(['engine:v1 68985b448c']));
  });
});
