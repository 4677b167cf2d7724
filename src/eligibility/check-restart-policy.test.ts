import { describe, expect, it } from 'vitest';
import { entry, kinds, oneRole, paths, worker } from '../../test/support/one-role.ts';
import type { ModelServingSpec } from '../api/index.ts';
import { checkEligibility } from './check-eligibility.ts';

describe('the restart policy', () => {
  it('must be Always in both templates of a Role in which an image changes', () => {
    const [r] = oneRole().template.roles;
    const workerTemplate = {
      spec: { restartPolicy: 'OnFailure' as const, containers: [{ name: 'c', image: 'app:v1' }] },
    };
    const before = oneRole({ role: { workerTemplate } });
    const after = oneRole({
      role: { workerTemplate, entryTemplate: { spec: { containers: [{ name: 'c', image: 'app:v2' }] } } },
    });
    expect(r).toBeDefined();
    expect(checkEligibility(before, before).reasons).toEqual([]);
    expect(checkEligibility(before, after).reasons).toEqual([
      {
        path: `${worker}.spec.restartPolicy`,
        kind: 'restart-policy',
        message: `roles[r].workerTemplate.spec.restartPolicy is OnFailure, but an image can be patched only where restartPolicy is Always`,
      },
    ]);
  });

  it('is named once where it is edited, too', () => {
    const result = checkEligibility(oneRole({ pod: { restartPolicy: 'Never' } }), oneRole({ image: 'app:v2' }));
    expect(paths(result)).toEqual([`${entry}.spec.restartPolicy`, `${worker}.spec.restartPolicy`]);
    expect(kinds(result)).toEqual(['restart-policy']);
  });

  it('must not be overridden in a regular container, but may in a sidecar', () => {
    const rules = { restartPolicy: 'Always', restartPolicyRules: [{ action: 'Restart' }] };
    const overridden = (image: string): ModelServingSpec => oneRole({ image, container: rules });
    expect(paths(checkEligibility(overridden('app:v1'), overridden('app:v2')))).toEqual(
      [entry, worker].flatMap((template) =>
        ['restartPolicy', 'restartPolicyRules'].map((field) => `${template}.spec.containers[c].${field}`),
      ),
    );
    expect(checkEligibility(overridden('app:v1'), overridden('app:v1')).reasons).toEqual([]);
    const pod = { initContainers: [{ name: 's', image: 'side:v1', restartPolicy: 'Always' }] };
    expect(checkEligibility(oneRole({ pod }), oneRole({ image: 'app:v2', pod })).reasons).toEqual([]);
  });
});
