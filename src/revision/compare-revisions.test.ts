import { describe, expect, it } from 'vitest';
import { aModelServing, stored } from '../../test/support/revisions.ts';
import { type ModelServing, type Role, revisionLabel } from '../api/index.ts';
import type { ControllerRevision, PodSpec } from '../objects/index.ts';
import { buildRevision } from './build-revision.ts';
import { compareRevisions, findEqualRevision } from './compare-revisions.ts';
import { type RevisionData, revisionDataOf } from './revision-data.ts';
import { roleTemplateHash } from './revision-name.ts';

describe('equality by meaning', () => {
  const roles = aModelServing().spec.template.roles;
  const withRoles = (changed: ModelServing['spec']['template']['roles']): RevisionData =>
    revisionDataOf({ ...aModelServing().spec, template: { roles: changed } });
  const [prefill, decode] = roles;
  if (prefill === undefined || decode === undefined) throw new Error('two Roles are needed');
  const base = revisionDataOf(aModelServing().spec);

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
    ['an image', revisionDataOf(aModelServing({}, 'engine:v2').spec)],
    ['the number of workers', withRoles([{ ...prefill, workerReplicas: 2 }, decode])],
    ['a Role that goes', withRoles([prefill])],
    ['a Role of another name', withRoles([prefill, { ...decode, name: 'other' }])],
    ['the scheduler', revisionDataOf({ ...aModelServing().spec, schedulerName: 'volcano' })],
    ['a plugin', revisionDataOf({ ...aModelServing().spec, plugins: [{ name: 'a' }] })],
  ])('sees %s', (_, other) => {
    expect(compareRevisions(base, other)).toBe('different');
  });

  it('takes a plugin with its defaults written out for the same', () => {
    const a = revisionDataOf({ ...aModelServing().spec, plugins: [{ name: 'p', scope: { roles: ['b', 'a'] } }] });
    const b = revisionDataOf({
      ...aModelServing().spec,
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
    const revision = stored(buildRevision(aModelServing(), []));
    return {
      ...revision,
      revision: number,
      metadata: { ...revision.metadata, name: `llm-${name}`, labels: { [revisionLabel]: name } },
    };
  };

  it('falls on the one that is in use, else on the newest, never on one that is going', () => {
    const wanted = revisionDataOf(aModelServing().spec);
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

function containersOf(role: Role): PodSpec {
  return role.entryTemplate.spec ?? { containers: [] };
}
