import { describe, expect, it } from 'vitest';
import { entry, kinds, oneRole, paths, worker } from '../../test/support/one-role.ts';
import type { ModelServingSpec } from '../api/index.ts';
import { checkEligibility } from './check-eligibility.ts';

describe('the pull policy', () => {
  it('must not change its effect with the tag', () => {
    const result = checkEligibility(oneRole({ image: 'app:latest' }), oneRole({ image: 'app:v2' }));
    expect(paths(result)).toEqual([
      `${entry}.spec.containers[c].imagePullPolicy`,
      `${worker}.spec.containers[c].imagePullPolicy`,
    ]);
    expect(result.reasons[0]?.message).toBe(
      'the effective pull policy, roles[r].entryTemplate.spec.containers[c].imagePullPolicy, changed from Always to IfNotPresent; where it is omitted it follows the tag: set it explicitly to keep it',
    );
  });

  it.each<[string, ModelServingSpec, ModelServingSpec]>([
    [
      'explicit on both sides',
      oneRole({ image: 'app:latest', container: { imagePullPolicy: 'Always' } }),
      oneRole({ image: 'app:v2', container: { imagePullPolicy: 'Always' } }),
    ],
    [
      'written out with the next tag',
      oneRole(),
      oneRole({ image: 'app:v2', container: { imagePullPolicy: 'IfNotPresent' } }),
    ],
    [
      'written out to keep it',
      oneRole({ image: 'app:latest' }),
      oneRole({ image: 'app:v2', container: { imagePullPolicy: 'Always' } }),
    ],
    [
      'of a digest that carries a tag',
      oneRole({ image: 'app' }),
      oneRole({ image: `app:latest@sha256:${'a'.repeat(64)}` }),
    ],
  ])('is no reason where it is %s', (_, before, after) => {
    expect(checkEligibility(before, after).reasons).toEqual([]);
  });

  it('is a reason where it is edited without the image', () => {
    expect(kinds(checkEligibility(oneRole(), oneRole({ container: { imagePullPolicy: 'Always' } })))).toEqual([
      'pull-policy',
    ]);
  });
});
