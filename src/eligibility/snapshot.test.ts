import { describe, expect, it } from 'vitest';
import { kinds, oneRole, paths } from '../../test/support/one-role.ts';
import { recordedByKthena } from '../../test/support/recorded.ts';
import type { ModelServing, ModelServingSpec } from '../api/index.ts';
import { applyMergePatch, type ControllerRevision } from '../objects/index.ts';
import { buildRevision, inForcePatch } from '../revision/index.ts';
import { checkEligibility, checkRoleEligibility } from './check-eligibility.ts';

describe('the history', () => {
  const modelServing = (one: ModelServingSpec): ModelServing => ({
    metadata: { name: 'llm', namespace: 'fx', uid: 'u' },
    spec: one,
  });

  it('is a reason where it has no old revision', () => {
    expect(checkEligibility(undefined, oneRole()).reasons).toEqual([
      {
        path: 'history',
        kind: 'history-missing',
        message: 'the old revision is missing in the history, so nobody can tell what changed',
      },
    ]);
  });

  it('is a reason where it cannot be read', () => {
    const broken = { metadata: { name: 'x' }, revision: 1, data: {} } as ControllerRevision;
    expect(checkRoleEligibility(broken, oneRole(), 'r').reasons.map(({ kind }) => kind)).toEqual([
      'history-unreadable',
    ]);
  });

  it('is a reason where an older record is silent, and nothing is guessed', () => {
    const { modelServing: live, revisions } = recordedByKthena('fresh');
    const result = checkEligibility(revisions[0], live);
    expect(result.reasons.map(({ kind, path }) => [kind, path])).toEqual([
      ['history-silent', 'spec.plugins'],
      ['history-silent', 'spec.schedulerName'],
      ['history-silent', 'spec.template.gangPolicy'],
      ['history-silent', 'spec.template.networkTopology'],
    ]);
    expect(result.reasons[0]?.message).toContain('the history does not record plugins');
  });

  it('is no proof where only an assumption fills the silence', () => {
    const { modelServing: live, revisions } = recordedByKthena('fresh');
    const [revision] = revisions;
    if (revision === undefined) throw new Error('no revision recorded');
    const adopted = applyMergePatch(revision, inForcePatch(revision, live.spec)) as ControllerRevision;
    expect(paths(checkEligibility(adopted, live))).toEqual(['spec.plugins', 'spec.schedulerName']);
  });

  it('does not see replicas in an older record as a change', () => {
    const { modelServing: live, revisions } = recordedByKthena('fresh');
    const roles = live.spec.template.roles.map((role) => ({ ...role, replicas: 9 }));
    const scaled = { ...live.spec, template: { ...live.spec.template, roles } };
    expect(kinds(checkEligibility(revisions[0], scaled))).toEqual(['history-silent']);
  });

  it('is enough where it is ours', () => {
    const revision = buildRevision(modelServing(oneRole()), []);
    const { reasons, imageChanges } = checkEligibility(revision, modelServing(oneRole({ image: 'app:v2' })));
    expect(reasons).toEqual([]);
    expect(imageChanges).toHaveLength(2);
  });

  it('notices a gang policy that changes together with an image', () => {
    const revision = buildRevision(modelServing(oneRole()), []);
    const edited = oneRole({ image: 'app:v2', template: { gangPolicy: { minRoleReplicas: { r: 1 } } } });
    expect(kinds(checkEligibility(revision, edited))).toEqual(['gang-policy']);
  });
});
