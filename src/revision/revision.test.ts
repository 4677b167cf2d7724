import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../test/support/recorded.ts';
import { type ModelServing, revisionLabel, schedulingInForceAnnotation } from '../api/index.ts';
import { applyMergePatch, type ControllerRevision, deepFreeze, jsonEqual, stringifyAsGo } from '../objects/index.ts';
import {
  buildRevision,
  compareRevisions,
  findEqualRevision,
  inForcePatch,
  isSameRevisionObject,
  type RevisionData,
  readRevision,
  restoreRoles,
  restoreSpec,
  revisionDataOf,
  revisionOf,
  revisionsToPrune,
  roleTemplateHash,
  silences,
  storedBytes,
} from './index.ts';

const ms = (edit: Partial<ModelServing['spec']> = {}, image = 'engine:v1'): ModelServing =>
  deepFreeze({
    metadata: { name: 'llm', namespace: 'fx', uid: 'uid-1' },
    spec: {
      replicas: 4,
      schedulerName: 'default-scheduler',
      template: {
        roles: [
          {
            name: 'prefill',
            replicas: 2,
            maxUnavailable: 1,
            workerReplicas: 1,
            entryTemplate: {
              metadata: { labels: { app: 'llm' } },
              spec: {
                containers: [
                  {
                    name: 'engine',
                    image,
                    args: ['sh', '-c', 'a && b < c > d'],
                    env: [{ name: 'WORKER_INDEX', value: 'mine' }],
                    resources: { limits: { memory: '4Gi' } },
                  },
                ],
              },
            },
            workerTemplate: { metadata: {}, spec: { containers: [{ name: 'engine', image }] } },
          },
          {
            name: 'decode',
            replicas: 1,
            workerReplicas: 0,
            entryTemplate: { spec: { containers: [{ name: 'engine', image }] } },
          },
        ],
      },
      ...edit,
    },
  });

/** As it is after the API server stored it. */
const created = (revision: ControllerRevision, resourceVersion = '1'): ControllerRevision => ({
  ...(JSON.parse(stringifyAsGo(revision)) as ControllerRevision),
  metadata: { ...revision.metadata, resourceVersion, uid: `uid-${resourceVersion}` },
});

const dataOf = (revision: ControllerRevision): RevisionData => {
  const reading = readRevision(revision);
  if (reading.state === 'unreadable') throw new Error(reading.why);
  return reading.data;
};

describe('a ControllerRevision that kthena wrote', () => {
  it.each(['fresh', 'gang', 'partitioned', 'sparse-ordinals', 'stuck-mid-rollout', 'lws'] as const)(
    'is the revision of the spec it was made from: %s',
    (file) => {
      const { modelServing, revisions } = deepFreeze(recordedByKthena(file));
      const found = findEqualRevision(revisions, revisionDataOf(modelServing.spec));
      expect(found && revisionOf(found)).toBe(modelServing.status?.updateRevision);
    },
  );

  it('says neither scheduler nor plugins, and nothing of the scheduling in force', () => {
    const { revisions } = recordedByKthena('gang');
    expect(revisions.map((revision) => silences(dataOf(revision)))).toEqual([
      ['schedulerName', 'plugins', 'gangPolicy', 'networkTopology'],
    ]);
  });

  it('is no longer the revision once an image differs', () => {
    const { modelServing, revisions } = recordedByKthena('partitioned');
    const old = revisions.find((revision) => revisionOf(revision) === modelServing.status?.currentRevision);
    expect(old && compareRevisions(dataOf(old), revisionDataOf(modelServing.spec))).toBe('different');
  });

  it('is given what it does not say, once, so that a later edit of just that is noticed', () => {
    const { modelServing, revisions } = recordedByKthena('fresh');
    const [revision] = revisions;
    if (revision === undefined) throw new Error('no revision recorded');
    const patch = inForcePatch(revision, modelServing.spec);
    const adopted = applyMergePatch(revision, patch) as ControllerRevision;
    const edited = { ...modelServing.spec, plugins: [{ name: 'lws-standard-labels' }] };

    expect(inForcePatch(adopted, modelServing.spec)).toBeUndefined();
    expect(jsonEqual(adopted.data, revision.data)).toBe(true);
    expect(findEqualRevision([revision], revisionDataOf(edited))).toBe(revision);
    expect(findEqualRevision([adopted], revisionDataOf(edited))).toBeUndefined();
    expect(findEqualRevision([adopted], revisionDataOf(modelServing.spec))).toBe(adopted);
    // What was assumed is not proof of what the Pods were made with, and a later edit does not overwrite it.
    expect(silences(dataOf(adopted))).toEqual(['schedulerName', 'plugins']);
    expect(inForcePatch(adopted, edited)).toBeUndefined();
  });

  it('may also be a bare list of Roles', () => {
    const { modelServing, revisions } = recordedByKthena('fresh');
    const bare = revisions.map((revision) => ({ ...revision, data: revision.data?.['data'] }) as ControllerRevision);
    expect(findEqualRevision(bare, revisionDataOf(modelServing.spec))).toBe(bare[0]);
  });
});

describe('a ControllerRevision that we write', () => {
  it('is read back as the spec it was made from, silent about nothing', () => {
    const revision = created(buildRevision(ms(), []));
    expect(readRevision(revision).state).toBe('readable');
    expect(silences(dataOf(revision))).toEqual([]);
    expect(compareRevisions(dataOf(revision), revisionDataOf(ms().spec))).toBe('same');
  });

  it('is written in the layout of upstream, Roles by name, without what scales or is overwritten', () => {
    expect(buildRevision(ms(), []).data).toMatchObject({
      spec: {
        schedulerName: 'default-scheduler',
        plugins: [],
        template: {
          roles: [
            { name: 'decode', workerReplicas: 0, entryTemplate: { spec: { schedulerName: 'default-scheduler' } } },
            {
              name: 'prefill',
              entryTemplate: { metadata: { labels: { app: 'llm' } }, spec: { containers: [{ env: [] }] } },
            },
          ],
        },
      },
    });
    const text = JSON.stringify(buildRevision(ms(), []).data);
    expect(text).not.toMatch(/replicas|maxUnavailable|partition|"metadata":\{\}/);
  });

  it('has bytes that survive the API server encoding them again', () => {
    const { data } = buildRevision(ms(), []);
    const text = stringifyAsGo(data);
    expect(text).toContain('a \\u0026\\u0026 b \\u003c c \\u003e d');
    expect(stringifyAsGo(JSON.parse(text))).toBe(text);
    // Also for a client that writes members in the order in which it finds them.
    expect(Object.keys(data?.['spec'] as object)).toEqual(['plugins', 'schedulerName', 'template']);
  });

  it('has labels, owner, layout and number', () => {
    const revision = buildRevision(ms(), [created({ metadata: { name: 'llm-x' }, revision: 6 })]);
    const name = revisionOf(revision);
    expect(name).toMatch(/^[4-9bcdf]{1,10}$/);
    expect(revision).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      revision: 7,
      metadata: {
        name: `llm-${name}`,
        namespace: 'fx',
        labels: { 'modelserving.volcano.sh/name': 'llm', 'modelserving.volcano.sh/revision': name },
        annotations: { 'modelserving.volcano.sh/revision-data-version': 'v1' },
        ownerReferences: [{ kind: 'ModelServing', name: 'llm', uid: 'uid-1', controller: true }],
      },
    });
  });

  it('has another name after a collision, and the same name every time else', () => {
    const collided = { ...ms(), status: { collisionCount: 1 } };
    expect(revisionOf(buildRevision(ms(), []))).toBe(revisionOf(buildRevision(ms(), [])));
    expect(revisionOf(buildRevision(collided, []))).not.toBe(revisionOf(buildRevision(ms(), [])));
    expect(storedBytes(buildRevision(collided, []).data ?? {})).toEqual(
      storedBytes(buildRevision(ms(), []).data ?? {}),
    );
  });

  it('knows itself when the name is taken', () => {
    const wanted = buildRevision(ms(), []);
    expect(isSameRevisionObject(created(wanted), wanted)).toBe(true);
    expect(isSameRevisionObject(created({ ...wanted, data: {} }), wanted)).toBe(false);
    const foreign = { ...wanted, metadata: { ...wanted.metadata, ownerReferences: [] } };
    expect(isSameRevisionObject(created(foreign), wanted)).toBe(false);
  });

  it('carries the scheduling in force and is brought up to date by a merge patch', () => {
    const gang = { minRoleReplicas: { prefill: 1 } };
    const revision = created(buildRevision(ms(), []));
    const spec = { ...ms().spec, template: { ...ms().spec.template, gangPolicy: gang } };
    expect(inForcePatch(revision, ms().spec)).toBeUndefined();
    const patched = applyMergePatch(revision, inForcePatch(revision, spec)) as ControllerRevision;
    expect(dataOf(patched).gangPolicy).toEqual({ state: 'recorded', value: gang });
    expect(compareRevisions(dataOf(patched), dataOf(revision))).toBe('same');
  });

  it('knows nothing of the scheduling in force where the annotation was spoiled', () => {
    const revision = created(buildRevision(ms(), []));
    const spoiled = applyMergePatch(revision, {
      metadata: { annotations: { [schedulingInForceAnnotation]: '{' } },
    }) as ControllerRevision;
    expect(silences(dataOf(spoiled))).toEqual(['gangPolicy', 'networkTopology']);
  });
});

describe('a ControllerRevision that cannot be read', () => {
  it.each([
    ['no data', undefined],
    ['another layout', { spec: { roles: [] } }],
    ['no Roles', { data: ['x'] }],
    ['a Role without a template', { data: [{ name: 'a' }] }],
  ])('has %s', (_, data) => {
    expect(readRevision({ metadata: { name: 'x' }, revision: 1, data } as ControllerRevision).state).toBe('unreadable');
  });

  it('is of a layout that is not known yet', () => {
    const revision = created(buildRevision(ms(), []));
    const newer = applyMergePatch(revision, {
      metadata: { annotations: { 'modelserving.volcano.sh/revision-data-version': 'v2' } },
    }) as ControllerRevision;
    expect(readRevision(newer)).toEqual({
      state: 'unreadable',
      why: "its data is in layout 'v2', which this version does not know",
    });
  });
});

describe('equality by meaning', () => {
  const roles = ms().spec.template.roles;
  const withRoles = (changed: ModelServing['spec']['template']['roles']): RevisionData =>
    revisionDataOf({ ...ms().spec, template: { roles: changed } });
  const [prefill, decode] = roles;
  if (prefill === undefined || decode === undefined) throw new Error('two Roles are needed');
  const base = revisionDataOf(ms().spec);

  it.each<[string, RevisionData]>([
    ['the order of Roles', withRoles([decode, prefill])],
    ['replicas and rollout knobs', withRoles([{ ...prefill, replicas: 9, partition: 1, maxSurge: '10%' }, decode])],
    [
      "the template's own scheduler",
      withRoles([prefill, { ...decode, entryTemplate: { spec: { ...containersOf(decode), schedulerName: 'x' } } }]),
    ],
    ['plugins that are none', { ...base, plugins: { state: 'recorded', value: [] } }],
    [
      'everything a gang is asked for',
      { ...base, gangPolicy: { state: 'recorded', value: { minRoleReplicas: { prefill: 1 } } } },
    ],
  ])('does not see %s', (_, other) => {
    expect(compareRevisions(base, other)).toBe('same');
  });

  it.each<[string, RevisionData]>([
    ['an image', revisionDataOf(ms({}, 'engine:v2').spec)],
    ['the number of workers', withRoles([{ ...prefill, workerReplicas: 2 }, decode])],
    ['a Role that goes', withRoles([prefill])],
    ['a Role of another name', withRoles([prefill, { ...decode, name: 'other' }])],
    ['the scheduler', revisionDataOf({ ...ms().spec, schedulerName: 'volcano' })],
    ['a plugin', revisionDataOf({ ...ms().spec, plugins: [{ name: 'a' }] })],
  ])('sees %s', (_, other) => {
    expect(compareRevisions(base, other)).toBe('different');
  });

  it('takes a plugin with its defaults written out for the same', () => {
    const a = revisionDataOf({ ...ms().spec, plugins: [{ name: 'p', scope: { roles: ['b', 'a'] } }] });
    const b = revisionDataOf({
      ...ms().spec,
      plugins: [{ name: 'p', type: 'BuiltIn', config: null, scope: { roles: ['a', 'b'], target: 'All' } }],
    });
    expect(compareRevisions(a, b)).toBe('same');
  });

  it('gives equal Roles one template hash', () => {
    const spelled = {
      ...decode,
      entryTemplate: { spec: { ...containersOf(decode), restartPolicy: 'Always' as const } },
    };
    expect(roleTemplateHash(spelled)).toBe(roleTemplateHash(decode));
    expect(roleTemplateHash(prefill)).not.toBe(roleTemplateHash(decode));
    expect(roleTemplateHash(decode)).toMatch(/^[4-9bcdf]{1,10}$/);
  });
});

describe('the choice among equal revisions', () => {
  const made = (number: number, name: string): ControllerRevision => {
    const revision = created(buildRevision(ms(), []));
    return {
      ...revision,
      revision: number,
      metadata: { ...revision.metadata, name: `llm-${name}`, labels: { [revisionLabel]: name } },
    };
  };

  it('falls on the one that is in use, else on the newest, never on one that is going', () => {
    const wanted = revisionDataOf(ms().spec);
    const going = made(9, 'going');
    const all = [
      made(1, 'a'),
      made(3, 'b'),
      made(2, 'c'),
      { ...going, metadata: { ...going.metadata, deletionTimestamp: 't' } },
    ];
    expect(findEqualRevision(all, wanted)?.revision).toBe(3);
    expect(findEqualRevision(all, wanted, ['x', 'a'])?.revision).toBe(1);
    expect(findEqualRevision([], wanted)).toBeUndefined();
  });
});

describe('pruning', () => {
  const made = (number: number): ControllerRevision => ({
    metadata: { name: `llm-${number}`, labels: { [revisionLabel]: `r${number}` } },
    revision: number,
  });

  it('takes the oldest that are not in use, beyond the limit', () => {
    const revisions = [5, 1, 4, 2, 3].map(made);
    const pruned = (limit: number, ...inUse: string[]): number[] =>
      revisionsToPrune(revisions, new Set(inUse), limit).map(({ revision }) => revision);
    expect(pruned(2, 'r1')).toEqual([2, 3]);
    expect(pruned(0, 'r1', 'r5')).toEqual([2, 3, 4]);
    expect(pruned(10)).toEqual([]);
  });
});

describe('restoring a revision', () => {
  it('keeps present replicas, knobs and order; a Role that was gone comes back with one replica', () => {
    const old = dataOf(created(buildRevision(ms(), [])));
    const [prefill] = ms({}, 'engine:v2').spec.template.roles;
    if (prefill === undefined) throw new Error('a Role is needed');
    const added = { ...prefill, name: 'added' };
    const restored = restoreRoles(old, [added, { ...prefill, replicas: 7, partition: 2 }]);
    expect(restored.map(({ name, replicas, partition }) => [name, replicas, partition])).toEqual([
      ['prefill', 7, 2],
      ['decode', 1, undefined],
    ]);
    expect(compareRevisions(revisionDataOf(restoreSpec(old, ms({}, 'engine:v2').spec)), old)).toBe('same');
    expect(JSON.stringify(restored)).not.toContain('schedulerName');
  });

  it('restores scheduler and plugins where the record says them', () => {
    const old = dataOf(created(buildRevision(ms(), [])));
    const now = { ...ms().spec, schedulerName: 'volcano', plugins: [{ name: 'p' }], replicas: 9 };
    expect(restoreSpec(old, now)).toMatchObject({ schedulerName: 'default-scheduler', plugins: [], replicas: 9 });
    const legacy = recordedByKthena('fresh').revisions.map(dataOf);
    expect(legacy.map((data) => restoreSpec(data, now).schedulerName)).toEqual(['volcano']);
  });
});

type Role = ModelServing['spec']['template']['roles'][number];

function containersOf(role: Role): NonNullable<Role['entryTemplate']['spec']> {
  return role.entryTemplate.spec ?? { containers: [] };
}
