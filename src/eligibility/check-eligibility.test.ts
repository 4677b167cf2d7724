import { describe, expect, it } from 'vitest';
import { entry, kinds, oneRole, paths, worker } from '../../test/support/one-role.ts';
import type { ModelServingSpec, Role } from '../api/index.ts';
import { checkEligibility, checkRoleEligibility } from './check-eligibility.ts';

describe('an edit of images alone', () => {
  it('is eligible, and says what is to be patched', () => {
    expect(checkEligibility(oneRole(), oneRole({ image: 'app:v2' }))).toEqual({
      reasons: [],
      imageChanges: [
        { role: 'r', template: 'entry', container: 'c', from: 'app:v1', to: 'app:v2' },
        { role: 'r', template: 'worker', container: 'c', from: 'app:v1', to: 'app:v2' },
      ],
    });
  });

  it('may concern the worker template alone', () => {
    const { reasons, imageChanges } = checkEligibility(oneRole(), oneRole({ workerImage: 'app:v2' }));
    expect(reasons).toEqual([]);
    expect(imageChanges.map(({ template }) => template)).toEqual(['worker']);
  });

  it('may be another spelling of one image, for which the kubelet restarts the container', () => {
    const { reasons, imageChanges } = checkEligibility(oneRole(), oneRole({ image: 'docker.io/library/app:v1' }));
    expect(reasons).toEqual([]);
    expect(imageChanges).toHaveLength(2);
  });

  it('may go with another number of groups, role instances and rollout knobs', () => {
    const role = { replicas: 9, maxUnavailable: '50%', partition: 1, maxSurge: 2 };
    const edited = oneRole({ image: 'app:v2', role, spec: { replicas: 7, recoveryPolicy: 'None' } });
    expect(checkEligibility(oneRole(), edited).reasons).toEqual([]);
  });
});

describe('an edit that means the same', () => {
  it.each<[string, ModelServingSpec]>([
    ['a pull policy written out', oneRole({ container: { imagePullPolicy: 'IfNotPresent' } })],
    ['a restart policy written out', oneRole({ pod: { restartPolicy: 'Always' } })],
    ['a protocol', oneRole({ container: { ports: [] } })],
    ['the scheduler of the CRD', oneRole({ spec: { schedulerName: undefined } })],
    ['no plugins', oneRole({ spec: { plugins: [] } })],
    ['a gang policy that asks for nothing', oneRole({ template: { gangPolicy: { minRoleReplicas: {} } } })],
  ])('has neither reasons nor image changes: %s', (_, edited) => {
    expect(checkEligibility(oneRole(), edited)).toEqual({ reasons: [], imageChanges: [] });
  });

  it('may have its Roles in another order', () => {
    const [r] = oneRole().template.roles;
    if (r === undefined) throw new Error('a Role is needed');
    const two = [r, { ...r, name: 'a' }];
    const edited = { ...oneRole(), template: { roles: [...two].reverse() } };
    expect(checkEligibility({ ...oneRole(), template: { roles: two } }, edited)).toEqual({
      reasons: [],
      imageChanges: [],
    });
  });
});

describe('an edit that no image patch can apply', () => {
  it.each<[string, ModelServingSpec, ModelServingSpec, readonly string[]]>([
    [
      'an environment variable',
      oneRole({ container: { env: [{ name: 'MODE', value: 'a' }] } }),
      oneRole({ image: 'app:v2', container: { env: [{ name: 'MODE', value: 'b' }] } }),
      [`${entry}.spec.containers[c].env[MODE].value`, `${worker}.spec.containers[c].env[MODE].value`],
    ],
    [
      'the order of environment variables',
      oneRole({ container: { env: [{ name: 'A' }, { name: 'B' }] }, role: { workerTemplate: undefined } }),
      oneRole({ container: { env: [{ name: 'B' }, { name: 'A' }] }, role: { workerTemplate: undefined } }),
      [`${entry}.spec.containers[c].env`],
    ],
    [
      'the image of an init container',
      oneRole({ pod: { initContainers: [{ name: 'i', image: 'init:v1' }] } }),
      oneRole({ image: 'app:v2', pod: { initContainers: [{ name: 'i', image: 'init:v2' }] } }),
      [`${entry}.spec.initContainers[i].image`, `${worker}.spec.initContainers[i].image`],
    ],
    [
      'the image of a sidecar',
      oneRole({ pod: { initContainers: [{ name: 's', image: 'side:v1', restartPolicy: 'Always' }] } }),
      oneRole({ pod: { initContainers: [{ name: 's', image: 'side:v2', restartPolicy: 'Always' }] } }),
      [`${entry}.spec.initContainers[s].image`, `${worker}.spec.initContainers[s].image`],
    ],
    [
      'the image of a volume',
      oneRole({ pod: { volumes: [{ name: 'm', image: { reference: 'model:v1' } }] } }),
      oneRole({ pod: { volumes: [{ name: 'm', image: { reference: 'model:v2' } }] } }),
      [`${entry}.spec.volumes[m].image.reference`, `${worker}.spec.volumes[m].image.reference`],
    ],
    [
      'the number of workers',
      oneRole(),
      oneRole({ image: 'app:v2', role: { workerReplicas: 2 } }),
      ['spec.template.roles[r].workerReplicas'],
    ],
    ['a worker template that goes', oneRole(), oneRole({ role: { workerTemplate: undefined } }), [worker]],
    [
      'a node selector',
      oneRole(),
      oneRole({ pod: { nodeSelector: { 'example.com/gpu': 'a100' } } }),
      [`${entry}.spec.nodeSelector`, `${worker}.spec.nodeSelector`],
    ],
    [
      'the value of a node selector',
      oneRole({ pod: { nodeSelector: { 'example.com/gpu': 'a100' } } }),
      oneRole({ pod: { nodeSelector: { 'example.com/gpu': 'h100' } } }),
      [`${entry}.spec.nodeSelector[example.com/gpu]`, `${worker}.spec.nodeSelector[example.com/gpu]`],
    ],
    [
      'a label',
      oneRole(),
      oneRole({
        role: {
          entryTemplate: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'app:v1' }] } },
        },
      }),
      [`${entry}.metadata.labels`],
    ],
    [
      'an image that is taken away',
      oneRole({ role: { workerTemplate: undefined } }),
      oneRole({ image: '', role: { workerTemplate: undefined } }),
      [`${entry}.spec.containers[c].image`],
    ],
  ])('is refused with its path: %s', (_, before, after, expected) => {
    expect(paths(checkEligibility(before, after))).toEqual(expected);
  });

  it('swaps or renames containers, and then no image is compared', () => {
    const pod = (...names: string[]): ModelServingSpec =>
      oneRole({ pod: { containers: names.map((name) => ({ name, image: `${name}:v1` })) } });
    for (const after of [pod('b', 'a'), pod('a', 'x'), pod('a'), pod('a', 'b', 'c')]) {
      const result = checkEligibility(pod('a', 'b'), after);
      expect(paths(result)).toEqual([`${entry}.spec.containers`, `${worker}.spec.containers`]);
      expect(result.reasons[0]?.message).toContain('container names or order');
      expect(result.imageChanges).toEqual([]);
    }
  });

  it('names scheduler, plugins, gang policy and topology in one sorted list', () => {
    const edited = oneRole({
      image: 'app:v2',
      spec: { schedulerName: 'other', plugins: [{ name: 'p' }] },
      template: {
        gangPolicy: { minRoleReplicas: { r: 1 } },
        networkTopology: { rolePolicy: { highestTierAllowed: 1 } },
      },
    });
    expect(checkEligibility(oneRole(), edited).reasons.map(({ kind, path }) => [kind, path])).toEqual([
      ['plugins', 'spec.plugins[p]'],
      ['scheduler-name', 'spec.schedulerName'],
      ['gang-policy', 'spec.template.gangPolicy.minRoleReplicas'],
      ['network-topology', 'spec.template.networkTopology.rolePolicy'],
    ]);
  });
});

describe('Roles', () => {
  const [r] = oneRole().template.roles;
  if (r === undefined) throw new Error('a Role is needed');
  const changed = oneRole({ image: 'app:v2' }).template.roles[0] ?? r;
  const withRoles = (...roles: Role[]): ModelServingSpec => ({ ...oneRole(), template: { roles } });

  it('that come or go make a whole group ineligible, and leave the other Roles alone', () => {
    const before = withRoles(r);
    const after = withRoles(changed, { ...r, name: 'new' });
    const whole = checkEligibility(before, after);
    expect(whole.reasons).toEqual([
      { path: 'spec.template.roles', kind: 'role-names', message: 'Role names changed from [r] to [new, r]' },
    ]);
    expect(checkRoleEligibility(before, after, 'r')).toEqual({ reasons: [], imageChanges: whole.imageChanges });
    expect(paths(checkRoleEligibility(before, after, 'new'))).toEqual(['spec.template.roles[new]']);
    expect(checkRoleEligibility(before, after, 'nobody').reasons[0]?.message).toBe(
      'Role nobody is in neither revision',
    );
  });

  it('are judged one at a time', () => {
    const before = withRoles(r, { ...r, name: 'b' });
    const after = withRoles(changed, { ...r, name: 'b', workerReplicas: 5 });
    expect(checkRoleEligibility(before, after, 'r').reasons).toEqual([]);
    expect(kinds(checkRoleEligibility(before, after, 'b'))).toEqual(['worker-replicas']);
  });
});
