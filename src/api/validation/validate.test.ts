import { describe, expect, it } from 'vitest';
import { describeFieldError } from '../../objects/index.ts';
import type { ModelServing, ModelServingSpec, Role, RolloutStrategy } from '../types.ts';
import { refusalMessage, validate } from './validate.ts';

const pod = (image: string) => ({ spec: { containers: [{ name: 'c', image }] } });
const aRole = (fields: Partial<Role> = {}): Role => ({
  name: 'decode',
  replicas: 1,
  workerReplicas: 0,
  entryTemplate: pod('engine:v1'),
  ...fields,
});
const aModelServing = (spec: Partial<ModelServingSpec> = {}, roles: readonly Role[] = [aRole()]): ModelServing => ({
  metadata: { name: 'llm' },
  spec: { replicas: 4, ...spec, template: { roles, ...spec.template } },
});
const grouped = (knobs: RolloutStrategy['rollingUpdateConfiguration'], replicas = 4): ModelServing =>
  aModelServing({
    replicas,
    rolloutStrategy: { type: 'ServingGroupRollingUpdate', rollingUpdateConfiguration: knobs },
  });
const byRole = (fields: Partial<Role>): ModelServing =>
  aModelServing({ rolloutStrategy: { type: 'RoleRollingUpdate' } }, [aRole(fields)]);

const errorsOf = (modelServing: ModelServing): readonly string[] =>
  validate(modelServing).errors.map(describeFieldError);

const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const config = 'spec.rolloutStrategy.rollingUpdateConfiguration';
const role = 'spec.template.roles[0]';
const unparsable = 'invalid value for IntOrString: invalid type: string is not a percentage';

const refused: readonly (readonly [string, ModelServing, readonly string[]])[] = [
  [
    'a name that starts with a digit, once for each Role',
    { ...aModelServing({}, [aRole(), aRole({ name: 'prefill' })]), metadata: { name: '4b' } },
    Array(2).fill(`metadata.name: Invalid value: "4b": invalid name: ${labelRule}`),
  ],
  [
    'a name that leaves no room for the names of Pods',
    { ...aModelServing(), metadata: { name: 'm'.repeat(60) } },
    [`metadata.name: Invalid value: "${'m'.repeat(60)}": invalid name: must be no more than 63 characters`],
  ],
  [
    'a Role name that no Pod could carry',
    aModelServing({}, [aRole({ name: '405b' })]),
    [
      `${role}.name: Invalid value: "405b": role name must be a valid DNS-1035 label (lowercase alphanumeric characters or '-', must start with a letter): ${labelRule}`,
    ],
  ],
  [
    'images with spaces, in entry and workers',
    aModelServing({}, [aRole({ entryTemplate: pod(' engine:v1'), workerTemplate: pod('  ') })]),
    [
      `${role}.entryTemplate.spec.containers[0].image: Invalid value: " engine:v1": invalid container image reference: image cannot contain spaces`,
      `${role}.workerTemplate.spec.containers[0].image: Invalid value: "  ": invalid container image reference: image cannot be empty or whitespace only`,
    ],
  ],
  [
    'negative replicas',
    aModelServing({ replicas: -1 }, [aRole({ replicas: -2 })]),
    [
      'spec.replicas: Invalid value: -1: replicas must be a non-negative integer',
      `${role}.replicas: Invalid value: -2: role replicas must be a non-negative integer`,
    ],
  ],
  ['no Roles', aModelServing({}, []), ['spec.template.roles: Invalid value: []: roles must be specified']],
  [
    'limits of ServingGroups where Roles are updated',
    aModelServing({
      rolloutStrategy: { type: 'RoleRollingUpdate', rollingUpdateConfiguration: { maxUnavailable: 1 } },
    }),
    [
      `${config}: Forbidden: rollingUpdateConfiguration is only valid when rolloutStrategy.type is ServingGroupRollingUpdate`,
    ],
  ],
  [
    'limits that are neither counts nor percentages',
    grouped({ maxUnavailable: '2', maxSurge: -1, partition: '101%' }),
    [
      `${config}.maxUnavailable: Invalid value: "2": ${percentRule}`,
      `${config}.maxSurge: Invalid value: -1: must be a non-negative integer`,
      `${config}.partition: Invalid value: "101%": must be a valid percent value (0-100)`,
      `${config}.maxUnavailable: Invalid value: "2": invalid maxUnavailable: ${unparsable}`,
    ],
  ],
  [
    'an update that could never start',
    grouped({ maxUnavailable: '10%' }),
    [`${config}: Invalid value: "": maxUnavailable and maxSurge cannot both resolve to 0`],
  ],
  [
    'limits of Roles where ServingGroups are updated',
    aModelServing({}, [aRole({ partition: 1, maxSurge: 1 })]),
    [
      `${role}.partition: Forbidden: partition is only valid when rolloutStrategy.type is RoleRollingUpdate`,
      `${role}.maxSurge: Forbidden: maxSurge is only valid when rolloutStrategy.type is RoleRollingUpdate`,
    ],
  ],
  [
    'a Role update that could never start',
    byRole({ replicas: 2, maxUnavailable: 0 }),
    [`${role}.maxUnavailable: Invalid value: 0: maxUnavailable and maxSurge cannot both resolve to 0`],
  ],
  [
    'a Role limit that cannot be read',
    byRole({ maxUnavailable: 'abc%' }),
    [
      `${role}.maxUnavailable: Invalid value: "abc%": ${percentRule}`,
      `${role}.maxUnavailable: Invalid value: "abc%": invalid maxUnavailable: invalid value for IntOrString: invalid value "abc%": strconv.Atoi: parsing "abc": invalid syntax`,
    ],
  ],
  [
    'a gang that could never start',
    aModelServing({ template: { roles: [aRole()], gangPolicy: { minRoleReplicas: { x: 1, decode: 3 } } } }),
    [
      'spec.template.gangPolicy.minRoleReplicas[decode]: Invalid value: 3: minRoleReplicas (3) for role decode cannot exceed replicas (1)',
      'spec.template.gangPolicy.minRoleReplicas[x]: Invalid value: "x": role x does not exist in template.roles',
    ],
  ],
  [
    'a negative gang',
    aModelServing({ template: { roles: [aRole()], gangPolicy: { minRoleReplicas: { decode: -1 } } } }),
    [
      'spec.template.gangPolicy.minRoleReplicas[decode]: Invalid value: -1: minRoleReplicas for role decode must be non-negative',
    ],
  ],
  [
    'workers without a template',
    aModelServing({}, [aRole({ workerReplicas: 1 })]),
    [`${role}.workerTemplate: Required value: workerTemplate is required when workerReplicas is greater than 0`],
  ],
  [
    'recovery of whole groups with updates by Role',
    aModelServing({ recoveryPolicy: 'ServingGroupRecreate', rolloutStrategy: { type: 'RoleRollingUpdate' } }),
    [
      'spec.rolloutStrategy.type: Invalid value: "RoleRollingUpdate": incompatible recoveryPolicy and rolloutStrategy.type after applying defaults: recoveryPolicy=ServingGroupRecreate, rolloutStrategy.type=RoleRollingUpdate; valid pairs: (ServingGroupRecreate,ServingGroupRollingUpdate) or (RoleRecreate,RoleRollingUpdate)',
    ],
  ],
];

const accepted: readonly (readonly [string, ModelServing])[] = [
  ['a plain object', aModelServing()],
  ['no ServingGroups at all, whatever the partition', grouped({ partition: 0 }, 0)],
  ['a partition that holds everything back', grouped({ partition: 4, maxUnavailable: 0 })],
  ['no unit down at a time, with surge', grouped({ maxUnavailable: 0, maxSurge: 1 })],
  ['more unavailable than there are', grouped({ maxUnavailable: 9 })],
  ['a Role scaled to 0 whose maxUnavailable the CRD set to 1', byRole({ replicas: 0, maxUnavailable: 1 })],
  ['a Role scaled below its maxUnavailable', byRole({ replicas: 1, maxUnavailable: 3 })],
  ['a Role limit nobody looks at', aModelServing({}, [aRole({ maxUnavailable: 'garbage' })])],
  ['a maxSurge of 0 that a CRD set where ServingGroups are updated', aModelServing({}, [aRole({ maxSurge: 0 })])],
  ['an image left to somebody else', aModelServing({}, [aRole({ entryTemplate: pod('') })])],
  ['a worker template without workers', aModelServing({}, [aRole({ workerTemplate: pod('engine:v1') })])],
  ['a gang of none', aModelServing({ template: { roles: [aRole()], gangPolicy: { minRoleReplicas: { decode: 0 } } } })],
  [
    'policy None with updates by Role',
    aModelServing({ recoveryPolicy: 'None', rolloutStrategy: { type: 'RoleRollingUpdate' } }),
  ],
];

describe('admission', () => {
  it.each(refused)('refuses %s', (_, modelServing, errors) => {
    expect(errorsOf(modelServing)).toEqual(errors);
  });

  it.each(accepted)('accepts %s', (_, modelServing) => {
    expect(errorsOf(modelServing)).toEqual([]);
  });

  it('says everything at once, in the form of kthena', () => {
    const broken = aModelServing({ replicas: -1, recoveryPolicy: 'None' }, [aRole({ workerReplicas: 1 })]);
    expect(refusalMessage(validate({ ...broken, metadata: { name: 'llm' } }).errors)).toBe(
      [
        'validation failed:',
        '  - spec.replicas: Invalid value: -1: replicas must be a non-negative integer',
        `  - ${role}.workerTemplate: Required value: workerTemplate is required when workerReplicas is greater than 0`,
      ].join('\n'),
    );
  });

  it.each([
    '{}',
    '{"metadata":{}}',
    '{"spec":null}',
    '{"spec":{"template":{"roles":null}}}',
    '{"spec":{"replicas":null}}',
  ])('refuses %s instead of failing on it', (text) => {
    expect(errorsOf(JSON.parse(text))).toEqual([
      'spec.replicas: Invalid value: null: replicas must be a non-negative integer',
      expect.stringContaining('roles must be specified'),
    ]);
  });
});

describe('admission warns of', () => {
  const warningsOf = (modelServing: ModelServing): readonly string[] => validate(modelServing).warnings;

  it('nothing in a plain object', () => {
    expect(warningsOf(aModelServing({ rolloutStrategy: { updateMethod: 'InPlace' } }))).toEqual([]);
  });

  it('labels that the operator sets itself', () => {
    const metadata = { labels: { app: 'llm', 'modelserving.volcano.sh/entry': 'false' } };
    expect(warningsOf(aModelServing({}, [aRole({ entryTemplate: { ...pod('engine:v1'), metadata } })]))).toEqual([
      `${role}.entryTemplate.metadata.labels[modelserving.volcano.sh/entry]: ignored: the operator sets this label itself`,
    ]);
  });

  it('a deadline that the grace period of a Pod uses up', () => {
    const slow = { spec: { ...pod('engine:v1').spec, terminationGracePeriodSeconds: 600 } };
    const rolloutStrategy = { updateMethod: 'InPlace', progressDeadlineSeconds: 600 } as const;
    expect(warningsOf(aModelServing({ rolloutStrategy }, [aRole({ entryTemplate: slow })]))).toEqual([
      `spec.rolloutStrategy.progressDeadlineSeconds: 600 is less than terminationGracePeriodSeconds (600) of ${role}.entryTemplate plus 60: an in-place update may run out of time while the old container is still stopping`,
    ]);
    expect(warningsOf(aModelServing({}, [aRole({ entryTemplate: slow })]))).toEqual([]);
  });

  it('a budget that lets a whole Role go down', () => {
    expect(warningsOf(byRole({ replicas: 2, maxUnavailable: 3 }))).toEqual([
      `${role}.maxUnavailable: 3 is more than replicas (2): all instances may be updated at once`,
    ]);
  });

  it('plugins that never run', () => {
    expect(
      warningsOf(aModelServing({ plugins: [{ name: 'p', scope: { target: 'entry', roles: ['nobody'] } }] })),
    ).toEqual([
      'spec.plugins[0].scope.target: "entry" is none of All, Entry, Worker: the plugin never runs',
      'spec.plugins[0].scope.roles: there is no Role "nobody"',
    ]);
  });

  it('two ways to say one tier', () => {
    const networkTopology = { groupPolicy: { highestTierAllowed: 1, highestTierName: 'rack' } };
    expect(warningsOf(aModelServing({ template: { roles: [aRole()], networkTopology } }))).toEqual([
      'spec.template.networkTopology.groupPolicy: highestTierAllowed and highestTierName exclude each other',
    ]);
  });
});
