// Requests whose answers a real API server and the embedded one must agree on. They run in order, on the same objects.
export interface Request {
  readonly note: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

const core = '/api/v1/namespaces/same';
const servings = '/apis/workload.serving.volcano.sh/v1alpha1/namespaces/same/modelservings';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const json = 'application/json-patch+json';

const create = (note: string, path: string, body: unknown): Request => ({ note, method: 'POST', path, body });
const patch = (note: string, path: string, contentType: string, body: unknown): Request => ({
  note,
  method: 'PATCH',
  path,
  contentType,
  body,
});
const get = (note: string, path: string): Request => ({ note, method: 'GET', path });
const remove = (note: string, path: string, body?: unknown): Request => ({
  note,
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
});

const container = { name: 'engine', image: 'engine:v1' };
const role = (more: object = {}): object => ({
  name: 'r',
  workerReplicas: 0,
  entryTemplate: { spec: { containers: [container] } },
  ...more,
});
const serving = (name: string, spec: object = {}, roles: readonly object[] = [role()]): object => ({
  apiVersion: 'workload.serving.volcano.sh/v1alpha1',
  kind: 'ModelServing',
  metadata: { name },
  spec: { template: { roles }, ...spec },
});
const refused = (note: string, spec: object, roles?: readonly object[]): Request =>
  create(`ModelServing: ${note}`, servings, serving('refused', spec, roles));
const inContainer = (more: object): readonly object[] => [
  role({ entryTemplate: { spec: { containers: [{ ...container, ...more }] } } }),
];

const modelServings: readonly Request[] = [
  create('ModelServing: the least that is valid', servings, serving('one')),
  create(
    'ModelServing: everything set',
    servings,
    serving('all', {
      replicas: 2,
      schedulerName: 'volcano',
      recoveryPolicy: 'None',
      plugins: [{ name: 'p', config: { any: ['thing', 1, null] }, scope: { roles: ['r'], target: 'Entry' } }],
      rolloutStrategy: {
        updateMethod: 'InPlace',
        progressDeadlineSeconds: 60,
        rollingUpdateConfiguration: { maxUnavailable: '50%', maxSurge: 1, partition: 1 },
      },
      template: {
        restartGracePeriodSeconds: 5,
        gangPolicy: { minRoleReplicas: { r: 1 } },
        networkTopology: { groupPolicy: { highestTierAllowed: 1 } },
        roles: [role({ replicas: 1, maxUnavailable: '10%' })],
      },
    }),
  ),
  refused('no Roles', {}, []),
  refused(
    'five Roles',
    {},
    ['a', 'b', 'c', 'd', 'e'].map((name) => role({ name })),
  ),
  refused('two Roles of one name', {}, [role(), role()]),
  refused('a Role without a name', {}, [role({ name: undefined })]),
  refused('a Role with a name too long', {}, [role({ name: 'a-name-too-long' })]),
  refused('a Role with a bad name', {}, [role({ name: '-r' })]),
  refused('a Role without workerReplicas', {}, [role({ workerReplicas: undefined })]),
  refused('replicas as text', { replicas: '2' }),
  refused('replicas below zero', { replicas: -1 }),
  refused('a deadline too short', { rolloutStrategy: { progressDeadlineSeconds: 30 } }),
  refused('an unknown update method', { rolloutStrategy: { updateMethod: 'Sideways' } }),
  refused('maxUnavailable as a list', { rolloutStrategy: { rollingUpdateConfiguration: { maxUnavailable: [1] } } }),
  refused('a plugin without a name', { plugins: [{}] }),
  refused('a container without a name', {}, [role({ entryTemplate: { spec: { containers: [{ image: 'i' }] } } })]),
  refused('a container port of text', {}, inContainer({ ports: [{ containerPort: 'http' }] })),
  refused('a probe without a port', {}, inContainer({ readinessProbe: { httpGet: { path: '/' } } })),
  refused('an env variable without a name', {}, inContainer({ env: [{ value: 'v' }] })),
  refused('the same container name twice', {}, [
    role({ entryTemplate: { spec: { containers: [container, container] } } }),
  ]),
  refused('resources of a wrong type', {}, inContainer({ resources: { limits: { cpu: true } } })),
  refused('a quantity that is none', {}, inContainer({ resources: { limits: { cpu: 'much' } } })),
  refused('no spec', { template: undefined }),
  create('ModelServing: a bad name', servings, serving('Upper_Case')),
  create(
    'ModelServing: an unknown field in a container',
    `${servings}?fieldValidation=Strict`,
    serving('x', {}, inContainer({ imagePolicy: 'x' })),
  ),
  patch('gang: raising a floor is refused', `${servings}/all`, merge, {
    spec: { template: { gangPolicy: { minRoleReplicas: { r: 2 } } } },
  }),
  patch('gang: taking it away is refused', `${servings}/all`, merge, { spec: { template: { gangPolicy: null } } }),
  patch('gang: adding one later is allowed', `${servings}/one`, merge, {
    spec: { template: { gangPolicy: { minRoleReplicas: { r: 1 } } } },
  }),
  patch('JSON patch of an image', `${servings}/one`, json, [
    { op: 'replace', path: '/spec/template/roles/0/entryTemplate/spec/containers/0/image', value: 'engine:v2' },
  ]),
  patch('JSON patch with a good test', `${servings}/one`, json, [
    { op: 'test', path: '/spec/template/roles/0/name', value: 'r' },
    { op: 'replace', path: '/spec/template/roles/0/replicas', value: 2 },
  ]),
  patch('a merge patch that changes nothing', `${servings}/one`, merge, { spec: { schedulerName: 'volcano' } }),
  patch('a merge patch with an old version', `${servings}/one`, merge, {
    metadata: { resourceVersion: '1' },
    spec: { replicas: 3 },
  }),
  patch('status: our own fields', `${servings}/one/status`, merge, {
    status: {
      replicas: 1,
      observedGeneration: 2,
      units: [{ groups: '0', roles: [{ name: 'r', instances: '0', completed: 1 }] }],
      failures: [{ group: 0, revision: 'abc', startedAt: '2026-01-01T00:00:00Z' }],
      conditions: [
        {
          type: 'Available',
          status: 'True',
          reason: 'AllGroupsReady',
          message: 'm',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  }),
  patch('status: a bad condition', `${servings}/one/status`, merge, {
    status: { conditions: [{ type: 'Available' }] },
  }),
  patch('status: a unit without groups', `${servings}/one/status`, merge, { status: { units: [{}] } }),
  patch('scale: up', `${servings}/one/scale`, merge, { spec: { replicas: 4 } }),
  get('scale: read', `${servings}/one/scale`),
  get('list by a label nobody has', `${servings}?labelSelector=a%3Db`),
  get('what is not there', `${servings}/none`),
  remove('delete with a wrong uid', `${servings}/one`, { preconditions: { uid: 'x' } }),
  remove('delete', `${servings}/one`),
];

const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { automountServiceAccountToken: false, schedulerName: 'nobody', containers: [container], ...spec },
});

const pods: readonly Request[] = [
  create('Pod: as we make them', `${core}/pods`, {
    metadata: { name: 'p', labels: { 'modelserving.volcano.sh/name': 'one' } },
    spec: {
      ...pod('p'),
      automountServiceAccountToken: false,
      schedulerName: 'nobody',
      containers: [{ ...container, env: [{ name: 'GROUP_SIZE', value: '2' }] }],
    },
  }),
  create(
    'Pod: an init container and a sidecar',
    `${core}/pods`,
    pod('q', {
      initContainers: [
        { name: 'i', image: 'init:1' },
        { name: 's', image: 'side:1', restartPolicy: 'Always' },
      ],
    }),
  ),
  create('Pod: the same container name twice', `${core}/pods`, pod('bad', { containers: [container, container] })),
  create('Pod: a bad label', `${core}/pods`, { ...pod('bad'), metadata: { name: 'bad', labels: { a: 'b c' } } }),
  create('Pod: a bad restart policy', `${core}/pods`, pod('bad', { restartPolicy: 'Sometimes' })),
  create('Pod: a negative grace period', `${core}/pods`, pod('bad', { terminationGracePeriodSeconds: -1 })),
  patch('Pod: image and labels in one patch', `${core}/pods/p`, strategic, {
    metadata: { labels: { 'modelserving.volcano.sh/revision': 'abc' }, annotations: { note: 'n' } },
    spec: { containers: [{ name: 'engine', image: 'engine:v2' }] },
  }),
  patch('Pod: the image of an init container', `${core}/pods/q`, strategic, {
    spec: { initContainers: [{ name: 'i', image: 'init:2' }] },
  }),
  patch('Pod: resources are not for this way', `${core}/pods/p`, strategic, {
    spec: { containers: [{ name: 'engine', resources: { limits: { cpu: '1' } } }] },
  }),
  patch('Pod: a longer deadline', `${core}/pods/p`, merge, { spec: { activeDeadlineSeconds: 60 } }),
  patch('Pod: its node by hand', `${core}/pods/p`, merge, { spec: { nodeName: 'n9' } }),
  patch('Pod: a label taken away', `${core}/pods/p`, merge, {
    metadata: { labels: { 'modelserving.volcano.sh/revision': null } },
  }),
  get('Pods by label', `${core}/pods?labelSelector=modelserving.volcano.sh%2Fname%3Done`),
  get('Pods by phase', `${core}/pods?fieldSelector=status.phase%3DPending%2Cspec.nodeName%3D`),
  remove('Pod: at an old version', `${core}/pods/q`, { preconditions: { resourceVersion: '1' } }),
  remove('Pod: one that no node has', `${core}/pods/q`),
];

const others: readonly Request[] = [
  create('Service: headless, as we make them', `${core}/services`, {
    metadata: { name: 's', labels: { a: 'b' } },
    spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector: { a: 'b' } },
  }),
  patch('Service: its address does not change', `${core}/services/s`, merge, { spec: { clusterIP: '10.96.0.9' } }),
  create('Service: a bad name', `${core}/services`, { metadata: { name: '0s' }, spec: { clusterIP: 'None' } }),
  create('ControllerRevision', '/apis/apps/v1/namespaces/same/controllerrevisions', {
    metadata: { name: 'rev' },
    data: { spec: { template: { roles: [] } } },
    revision: 1,
  }),
  patch('ControllerRevision: a lower number', '/apis/apps/v1/namespaces/same/controllerrevisions/rev', merge, {
    revision: 0,
  }),
  patch('ControllerRevision: a higher number', '/apis/apps/v1/namespaces/same/controllerrevisions/rev', merge, {
    revision: 3,
  }),
  create('Event', `${core}/events`, {
    metadata: { name: 'e' },
    involvedObject: { kind: 'ModelServing', name: 'all', namespace: 'same' },
    reason: 'InPlaceUpdateStarted',
    message: 'm',
    type: 'Normal',
  }),
  create('Event: in another namespace than its object', `${core}/events`, {
    metadata: { name: 'e2' },
    involvedObject: { kind: 'ModelServing', name: 'all', namespace: 'default' },
    reason: 'R',
    type: 'Normal',
  }),
  create('PodDisruptionBudget', '/apis/policy/v1/namespaces/same/poddisruptionbudgets', {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
  }),
  create('PodDisruptionBudget: both bounds', '/apis/policy/v1/namespaces/same/poddisruptionbudgets', {
    metadata: { name: 'b2' },
    spec: { minAvailable: 1, maxUnavailable: 1, selector: {} },
  }),
];

export const requests: readonly Request[] = [
  create('a namespace', '/api/v1/namespaces', { metadata: { name: 'same' } }),
  ...modelServings,
  ...pods,
  ...others,
];
