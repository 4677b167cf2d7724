import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../test/support/recorded.ts';
import { aModelServing, dataOf, stored } from '../../test/support/revisions.ts';
import { applyMergePatch, type ControllerRevision, deepFreeze, jsonEqual } from '../objects/index.ts';
import { buildRevision } from './build-revision.ts';
import { compareRevisions, findEqualRevision } from './compare-revisions.ts';
import { inForcePatch } from './in-force-patch.ts';
import { readRevision, revisionOf } from './read-revision.ts';
import { revisionDataOf, silences } from './revision-data.ts';

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
    const revision = stored(buildRevision(aModelServing(), []));
    const newer = applyMergePatch(revision, {
      metadata: { annotations: { 'modelserving.volcano.sh/revision-data-version': 'v2' } },
    }) as ControllerRevision;
    expect(readRevision(newer)).toEqual({
      state: 'unreadable',
      why: "its data is in layout 'v2', which this version does not know",
    });
  });
});
