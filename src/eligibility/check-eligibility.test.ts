import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../test/support/recorded.ts';
import type { ModelServing, ModelServingSpec, Role } from '../api/index.ts';
import {
  applyMergePatch,
  type Container,
  type ControllerRevision,
  deepFreeze,
  type PodSpec,
} from '../objects/index.ts';
import { buildRevision, inForcePatch } from '../revision/index.ts';
import { checkEligibility, checkRoleEligibility } from './check-eligibility.ts';
import type { EligibilityResult } from './reason.ts';

/** One Role `r` of an entry and a worker, each with a container `c`. */
const spec = (
  edit: {
    readonly image?: string;
    readonly workerImage?: string;
    readonly container?: Partial<Container>;
    readonly pod?: Partial<PodSpec>;
    readonly role?: Partial<Role>;
    readonly spec?: Partial<ModelServingSpec>;
    readonly template?: Partial<ModelServingSpec['template']>;
  } = {},
): ModelServingSpec => {
  const { image = 'app:v1', workerImage = image } = edit;
  const podSpec = (one: string): PodSpec => ({
    containers: [{ name: 'c', image: one, ...edit.container }],
    ...edit.pod,
  });
  return deepFreeze({
    replicas: 4,
    schedulerName: 'volcano',
    template: {
      roles: [
        {
          name: 'r',
          replicas: 1,
          workerReplicas: 1,
          entryTemplate: { spec: podSpec(image) },
          workerTemplate: { spec: podSpec(workerImage) },
          ...edit.role,
        },
      ],
      ...edit.template,
    },
    ...edit.spec,
  });
};

const paths = ({ reasons }: EligibilityResult): readonly string[] => reasons.map(({ path }) => path);
const kinds = ({ reasons }: EligibilityResult): readonly string[] => [...new Set(reasons.map(({ kind }) => kind))];
const entry = 'spec.template.roles[r].entryTemplate';
const worker = 'spec.template.roles[r].workerTemplate';

describe('an edit of images alone', () => {
  it('is eligible, and says what is to be patched', () => {
    expect(checkEligibility(spec(), spec({ image: 'app:v2' }))).toEqual({
      reasons: [],
      imageChanges: [
        { role: 'r', template: 'entry', container: 'c', from: 'app:v1', to: 'app:v2' },
        { role: 'r', template: 'worker', container: 'c', from: 'app:v1', to: 'app:v2' },
      ],
    });
  });

  it('may concern the worker template alone', () => {
    const { reasons, imageChanges } = checkEligibility(spec(), spec({ workerImage: 'app:v2' }));
    expect(reasons).toEqual([]);
    expect(imageChanges.map(({ template }) => template)).toEqual(['worker']);
  });

  it('may be another spelling of one image, for which the kubelet restarts the container', () => {
    const { reasons, imageChanges } = checkEligibility(spec(), spec({ image: 'docker.io/library/app:v1' }));
    expect(reasons).toEqual([]);
    expect(imageChanges).toHaveLength(2);
  });

  it('may go with another number of groups, role instances and rollout knobs', () => {
    const role = { replicas: 9, maxUnavailable: '50%', partition: 1, maxSurge: 2 };
    const edited = spec({ image: 'app:v2', role, spec: { replicas: 7, recoveryPolicy: 'None' } });
    expect(checkEligibility(spec(), edited).reasons).toEqual([]);
  });
});

describe('an edit that means the same', () => {
  it.each<[string, ModelServingSpec]>([
    ['a pull policy written out', spec({ container: { imagePullPolicy: 'IfNotPresent' } })],
    ['a restart policy written out', spec({ pod: { restartPolicy: 'Always' } })],
    ['a protocol', spec({ container: { ports: [] } })],
    ['the scheduler of the CRD', spec({ spec: { schedulerName: undefined } })],
    ['no plugins', spec({ spec: { plugins: [] } })],
    ['a gang policy that asks for nothing', spec({ template: { gangPolicy: { minRoleReplicas: {} } } })],
  ])('has neither reasons nor image changes: %s', (_, edited) => {
    expect(checkEligibility(spec(), edited)).toEqual({ reasons: [], imageChanges: [] });
  });

  it('may have its Roles in another order', () => {
    const [r] = spec().template.roles;
    if (r === undefined) throw new Error('a Role is needed');
    const two = [r, { ...r, name: 'a' }];
    const edited = { ...spec(), template: { roles: [...two].reverse() } };
    expect(checkEligibility({ ...spec(), template: { roles: two } }, edited)).toEqual({
      reasons: [],
      imageChanges: [],
    });
  });
});

describe('an edit that no image patch can apply', () => {
  it.each<[string, ModelServingSpec, ModelServingSpec, readonly string[]]>([
    [
      'an environment variable',
      spec({ container: { env: [{ name: 'MODE', value: 'a' }] } }),
      spec({ image: 'app:v2', container: { env: [{ name: 'MODE', value: 'b' }] } }),
      [`${entry}.spec.containers[c].env[MODE].value`, `${worker}.spec.containers[c].env[MODE].value`],
    ],
    [
      'the order of environment variables',
      spec({ container: { env: [{ name: 'A' }, { name: 'B' }] }, role: { workerTemplate: undefined } }),
      spec({ container: { env: [{ name: 'B' }, { name: 'A' }] }, role: { workerTemplate: undefined } }),
      [`${entry}.spec.containers[c].env`],
    ],
    [
      'the image of an init container',
      spec({ pod: { initContainers: [{ name: 'i', image: 'init:v1' }] } }),
      spec({ image: 'app:v2', pod: { initContainers: [{ name: 'i', image: 'init:v2' }] } }),
      [`${entry}.spec.initContainers[i].image`, `${worker}.spec.initContainers[i].image`],
    ],
    [
      'the image of a sidecar',
      spec({ pod: { initContainers: [{ name: 's', image: 'side:v1', restartPolicy: 'Always' }] } }),
      spec({ pod: { initContainers: [{ name: 's', image: 'side:v2', restartPolicy: 'Always' }] } }),
      [`${entry}.spec.initContainers[s].image`, `${worker}.spec.initContainers[s].image`],
    ],
    [
      'the image of a volume',
      spec({ pod: { volumes: [{ name: 'm', image: { reference: 'model:v1' } }] } }),
      spec({ pod: { volumes: [{ name: 'm', image: { reference: 'model:v2' } }] } }),
      [`${entry}.spec.volumes[m].image.reference`, `${worker}.spec.volumes[m].image.reference`],
    ],
    [
      'the number of workers',
      spec(),
      spec({ image: 'app:v2', role: { workerReplicas: 2 } }),
      ['spec.template.roles[r].workerReplicas'],
    ],
    ['a worker template that goes', spec(), spec({ role: { workerTemplate: undefined } }), [worker]],
    [
      'a node selector',
      spec(),
      spec({ pod: { nodeSelector: { 'example.com/gpu': 'a100' } } }),
      [`${entry}.spec.nodeSelector`, `${worker}.spec.nodeSelector`],
    ],
    [
      'the value of a node selector',
      spec({ pod: { nodeSelector: { 'example.com/gpu': 'a100' } } }),
      spec({ pod: { nodeSelector: { 'example.com/gpu': 'h100' } } }),
      [`${entry}.spec.nodeSelector[example.com/gpu]`, `${worker}.spec.nodeSelector[example.com/gpu]`],
    ],
    [
      'a label',
      spec(),
      spec({
        role: {
          entryTemplate: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'app:v1' }] } },
        },
      }),
      [`${entry}.metadata.labels`],
    ],
    [
      'an image that is taken away',
      spec({ role: { workerTemplate: undefined } }),
      spec({ image: '', role: { workerTemplate: undefined } }),
      [`${entry}.spec.containers[c].image`],
    ],
  ])('is refused with its path: %s', (_, before, after, expected) => {
    expect(paths(checkEligibility(before, after))).toEqual(expected);
  });

  it('swaps or renames containers, and then no image is compared', () => {
    const pod = (...names: string[]): ModelServingSpec =>
      spec({ pod: { containers: names.map((name) => ({ name, image: `${name}:v1` })) } });
    for (const after of [pod('b', 'a'), pod('a', 'x'), pod('a'), pod('a', 'b', 'c')]) {
      const result = checkEligibility(pod('a', 'b'), after);
      expect(paths(result)).toEqual([`${entry}.spec.containers`, `${worker}.spec.containers`]);
      expect(result.reasons[0]?.message).toContain('container names or order');
      expect(result.imageChanges).toEqual([]);
    }
  });

  it('names scheduler, plugins, gang policy and topology in one sorted list', () => {
    const edited = spec({
      image: 'app:v2',
      spec: { schedulerName: 'other', plugins: [{ name: 'p' }] },
      template: {
        gangPolicy: { minRoleReplicas: { r: 1 } },
        networkTopology: { rolePolicy: { highestTierAllowed: 1 } },
      },
    });
    expect(checkEligibility(spec(), edited).reasons.map(({ kind, path }) => [kind, path])).toEqual([
      ['plugins', 'spec.plugins[p]'],
      ['scheduler-name', 'spec.schedulerName'],
      ['gang-policy', 'spec.template.gangPolicy.minRoleReplicas'],
      ['network-topology', 'spec.template.networkTopology.rolePolicy'],
    ]);
  });
});

describe('the restart policy', () => {
  it('must be Always in both templates of a Role in which an image changes', () => {
    const [r] = spec().template.roles;
    const workerTemplate = {
      spec: { restartPolicy: 'OnFailure' as const, containers: [{ name: 'c', image: 'app:v1' }] },
    };
    const before = spec({ role: { workerTemplate } });
    const after = spec({
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
    const result = checkEligibility(spec({ pod: { restartPolicy: 'Never' } }), spec({ image: 'app:v2' }));
    expect(paths(result)).toEqual([`${entry}.spec.restartPolicy`, `${worker}.spec.restartPolicy`]);
    expect(kinds(result)).toEqual(['restart-policy']);
  });

  it('must not be overridden in a regular container, but may in a sidecar', () => {
    const rules = { restartPolicy: 'Always', restartPolicyRules: [{ action: 'Restart' }] };
    const overridden = (image: string): ModelServingSpec => spec({ image, container: rules });
    expect(paths(checkEligibility(overridden('app:v1'), overridden('app:v2')))).toEqual(
      [entry, worker].flatMap((template) =>
        ['restartPolicy', 'restartPolicyRules'].map((field) => `${template}.spec.containers[c].${field}`),
      ),
    );
    expect(checkEligibility(overridden('app:v1'), overridden('app:v1')).reasons).toEqual([]);
    const pod = { initContainers: [{ name: 's', image: 'side:v1', restartPolicy: 'Always' }] };
    expect(checkEligibility(spec({ pod }), spec({ image: 'app:v2', pod })).reasons).toEqual([]);
  });
});

describe('the pull policy', () => {
  it('must not change its effect with the tag', () => {
    const result = checkEligibility(spec({ image: 'app:latest' }), spec({ image: 'app:v2' }));
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
      spec({ image: 'app:latest', container: { imagePullPolicy: 'Always' } }),
      spec({ image: 'app:v2', container: { imagePullPolicy: 'Always' } }),
    ],
    [
      'written out with the next tag',
      spec(),
      spec({ image: 'app:v2', container: { imagePullPolicy: 'IfNotPresent' } }),
    ],
    [
      'written out to keep it',
      spec({ image: 'app:latest' }),
      spec({ image: 'app:v2', container: { imagePullPolicy: 'Always' } }),
    ],
    ['of a digest that carries a tag', spec({ image: 'app' }), spec({ image: `app:latest@sha256:${'a'.repeat(64)}` })],
  ])('is no reason where it is %s', (_, before, after) => {
    expect(checkEligibility(before, after).reasons).toEqual([]);
  });

  it('is a reason where it is edited without the image', () => {
    expect(kinds(checkEligibility(spec(), spec({ container: { imagePullPolicy: 'Always' } })))).toEqual([
      'pull-policy',
    ]);
  });
});

describe('Roles', () => {
  const [r] = spec().template.roles;
  if (r === undefined) throw new Error('a Role is needed');
  const changed = spec({ image: 'app:v2' }).template.roles[0] ?? r;
  const withRoles = (...roles: Role[]): ModelServingSpec => ({ ...spec(), template: { roles } });

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

describe('the history', () => {
  const modelServing = (one: ModelServingSpec): ModelServing => ({
    metadata: { name: 'llm', namespace: 'fx', uid: 'u' },
    spec: one,
  });

  it('is a reason where it has no old revision', () => {
    expect(checkEligibility(undefined, spec()).reasons).toEqual([
      {
        path: 'history',
        kind: 'history-missing',
        message: 'the old revision is missing in the history, so nobody can tell what changed',
      },
    ]);
  });

  it('is a reason where it cannot be read', () => {
    const broken = { metadata: { name: 'x' }, revision: 1, data: {} } as ControllerRevision;
    expect(checkRoleEligibility(broken, spec(), 'r').reasons.map(({ kind }) => kind)).toEqual(['history-unreadable']);
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
    const revision = buildRevision(modelServing(spec()), []);
    const { reasons, imageChanges } = checkEligibility(revision, modelServing(spec({ image: 'app:v2' })));
    expect(reasons).toEqual([]);
    expect(imageChanges).toHaveLength(2);
  });

  it('notices a gang policy that changes together with an image', () => {
    const revision = buildRevision(modelServing(spec()), []);
    const edited = spec({ image: 'app:v2', template: { gangPolicy: { minRoleReplicas: { r: 1 } } } });
    expect(kinds(checkEligibility(revision, edited))).toEqual(['gang-policy']);
  });
});
