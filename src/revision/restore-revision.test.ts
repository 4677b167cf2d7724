import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../test/support/recorded.ts';
import { aModelServing, dataOf, stored } from '../../test/support/revisions.ts';
import { buildRevision } from './build-revision.ts';
import { compareRevisions } from './compare-revisions.ts';
import { restoreRoles, restoreSpec } from './restore-revision.ts';
import { revisionDataOf } from './revision-data.ts';

describe('restoring a revision', () => {
  it('keeps present replicas, knobs and order; a Role that was gone comes back with one replica', () => {
    const old = dataOf(stored(buildRevision(aModelServing(), [])));
    const [prefill] = aModelServing({}, 'engine:v2').spec.template.roles;
    if (prefill === undefined) throw new Error('a Role is needed');
    const added = { ...prefill, name: 'added' };
    const restored = restoreRoles(old, [added, { ...prefill, replicas: 7, partition: 2 }]);
    expect(restored.map(({ name, replicas, partition }) => [name, replicas, partition])).toEqual([
      ['prefill', 7, 2],
      ['decode', 1, undefined],
    ]);
    expect(compareRevisions(revisionDataOf(restoreSpec(old, aModelServing({}, 'engine:v2').spec)), old)).toBe('same');
    expect(JSON.stringify(restored)).not.toContain('schedulerName');
  });

  it('restores scheduler and plugins where the record says them', () => {
    const old = dataOf(stored(buildRevision(aModelServing(), [])));
    const now = { ...aModelServing().spec, schedulerName: 'volcano', plugins: [{ name: 'p' }], replicas: 9 };
    expect(restoreSpec(old, now)).toMatchObject({ schedulerName: 'default-scheduler', plugins: [], replicas: 9 });
    const legacy = recordedByKthena('fresh').revisions.map(dataOf);
    expect(legacy.map((data) => restoreSpec(data, now).schedulerName)).toEqual(['volcano']);
  });
});
