import { describe, expect, it } from 'vitest';
import { aModelServing, dataOf, stored } from '../../test/support/revisions.ts';
import { buildRevision } from './build-revision.ts';
import { compareRevisions } from './compare-revisions.ts';
import { restoreRoles } from './restore-revision.ts';
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
    const { spec } = aModelServing({}, 'engine:v2');
    const back = { ...spec, template: { ...spec.template, roles: restoreRoles(old, spec.template.roles) } };
    expect(compareRevisions(revisionDataOf(back), old)).toBe('same');
    expect(JSON.stringify(restored)).not.toContain('schedulerName');
  });
});
