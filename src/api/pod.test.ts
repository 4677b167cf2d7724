import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Pod, Service } from '../objects/index.ts';
import { parsePodName } from './names.ts';
import { type RenderPodInput, renderPod } from './pod.ts';
import { renderService } from './service.ts';
import type { ModelServing, Role } from './types.ts';

const recorded: { readonly objects: readonly { readonly kind: string }[] } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/kthena/fresh.json', import.meta.url), 'utf8'),
);
const ofKind = <T>(kind: string): readonly T[] =>
  recorded.objects.filter((object): object is { readonly kind: string } & T => object.kind === kind);
const [fresh] = ofKind<ModelServing>('ModelServing');
if (fresh === undefined) throw new Error('no ModelServing in the fixture');

const roleOf = (name: string): Role => {
  const role = fresh.spec.template.roles.find((one) => one.name === name);
  if (role === undefined) throw new Error(`no role ${name} in the fixture`);
  return role;
};

const role: Role = {
  name: 'decode',
  workerReplicas: 2,
  entryTemplate: { spec: { containers: [{ name: 'engine', image: 'engine:v1' }] } },
  workerTemplate: { spec: { containers: [{ name: 'engine', image: 'engine:v1' }] } },
};
const render = (input: Partial<RenderPodInput>): Pod =>
  renderPod({
    modelServing: fresh,
    role,
    group: 0,
    instance: 0,
    index: 0,
    revision: 'r1',
    roleTemplateHash: 'h1',
    schedulerName: 'volcano',
    inPodGroup: false,
    ...input,
  });

describe('a Pod', () => {
  it.each(ofKind<Pod>('Pod').map((pod) => [pod.metadata.name, pod] as const))(
    '%s is rendered as kthena created it',
    (name, pod) => {
      const id = parsePodName('fresh', name ?? '');
      if (id === undefined) throw new Error(`not a Pod of fresh: ${name}`);
      const labels = pod.metadata.labels ?? {};
      const rendered = render({
        ...id,
        role: roleOf(id.role),
        revision: labels['modelserving.volcano.sh/revision'] ?? '',
        roleTemplateHash: labels['modelserving.volcano.sh/role-template-hash'] ?? '',
        schedulerName: 'default-scheduler',
      });
      expect(rendered.metadata.name).toBe(name);
      expect(rendered.metadata.namespace).toBe(pod.metadata.namespace);
      expect(rendered.metadata.labels).toEqual(labels);
      expect(rendered.metadata.ownerReferences).toEqual(pod.metadata.ownerReferences);
      expect(rendered.metadata.annotations).toMatchObject(pod.metadata.annotations ?? {});
      expect(rendered.spec.containers[0]?.env).toEqual(pod.spec.containers[0]?.env);
      expect(pod.spec).toMatchObject({ schedulerName: rendered.spec.schedulerName });
      expect(rendered.spec.containers[0]?.args).toEqual(pod.spec.containers[0]?.args);
    },
  );

  it('keeps the labels of its template, but never in place of those that say which Pod it is', () => {
    const metadata = {
      labels: {
        app: 'llm',
        'modelserving.volcano.sh/entry': 'true',
        'modelserving.volcano.sh/group-name': 'group-0',
        'modelserving.volcano.sh/revision': 'x',
      },
    };
    const worker = render({
      role: { ...role, workerTemplate: { ...role.workerTemplate, metadata } },
      group: 3,
      index: 1,
    });
    expect(worker.metadata.labels).toEqual({
      app: 'llm',
      'modelserving.volcano.sh/name': 'fresh',
      'modelserving.volcano.sh/group-name': 'fresh-3',
      'modelserving.volcano.sh/role': 'decode',
      'modelserving.volcano.sh/role-id': 'decode-0',
      'modelserving.volcano.sh/revision': 'r1',
      'modelserving.volcano.sh/role-template-hash': 'h1',
    });
  });

  it('remembers the revision it was created from, and nothing of the Pod its template was copied from', () => {
    const metadata = {
      annotations: {
        team: 'serving',
        'modelserving.volcano.sh/inplace-update-state': '{}',
        'modelserving.volcano.sh/failing-since': '{}',
        'modelserving.volcano.sh/created-revision': 'old',
      },
    };
    expect(
      render({ role: { ...role, entryTemplate: { ...role.entryTemplate, metadata } } }).metadata.annotations,
    ).toEqual({
      team: 'serving',
      'modelserving.volcano.sh/created-revision': 'r1',
    });
  });

  it('names its PodGroup and task where there is one', () => {
    expect(render({ inPodGroup: true, group: 2, instance: 1 }).metadata.annotations).toMatchObject({
      'scheduling.k8s.io/group-name': 'fresh-2',
      'volcano.sh/task-spec': 'decode-1',
    });
  });

  it('tells every container and init container its place, last, and once', () => {
    const env = [
      { name: 'WORKER_INDEX', value: '9' },
      { name: 'MODE', value: 'decode' },
    ];
    const spec = {
      containers: [{ name: 'engine', env }, { name: 'proxy' }],
      initContainers: [{ name: 'load', env }],
      ephemeralContainers: [{ name: 'debug' }],
    };
    const pod = render({ role: { ...role, workerTemplate: { spec } }, group: 1, instance: 4, index: 2 });
    const place = [
      { name: 'GROUP_SIZE', value: '3' },
      { name: 'ENTRY_ADDRESS', value: 'fresh-1-decode-4-0.fx' },
      { name: 'WORKER_INDEX', value: '2' },
    ];
    const whole = [{ name: 'MODE', value: 'decode' }, ...place];
    expect(pod.spec.containers.map((container) => container.env)).toEqual([whole, place]);
    expect(pod.spec.initContainers?.map((container) => container.env)).toEqual([whole]);
    expect(pod.spec.ephemeralContainers).toEqual([{ name: 'debug' }]);
  });

  it('takes everything else of its template as it is', () => {
    const spec = {
      containers: [{ name: 'c', image: 'engine:v1' }],
      hostname: 'h',
      subdomain: 's',
      schedulerName: 'mine',
    };
    expect(render({ role: { ...role, entryTemplate: { spec } } }).spec).toMatchObject({
      hostname: 'h',
      subdomain: 's',
      schedulerName: 'volcano',
    });
  });

  it('is refused where a worker has no template', () => {
    const { workerTemplate: _, ...without } = role;
    expect(() => render({ role: without, index: 1 })).toThrow('role decode has workers but no workerTemplate');
  });
});

describe('the headless Service of a role instance', () => {
  it.each(ofKind<Service>('Service').map((service) => [service.metadata.name, service] as const))(
    '%s is rendered as kthena created it',
    (name, service) => {
      const id = parsePodName('fresh', name ?? '');
      if (id === undefined) throw new Error(`not a Service of fresh: ${name}`);
      const rendered = renderService({ modelServing: fresh, ...id, role: roleOf(id.role) });
      expect(service).toMatchObject(JSON.parse(JSON.stringify(rendered)));
      expect(rendered?.metadata.labels).toEqual(service.metadata.labels);
      expect(rendered?.spec.selector).toEqual(service.spec.selector);
    },
  );

  it('exists with a workerTemplate, even without workers, and not otherwise', () => {
    const { workerTemplate: _, ...without } = role;
    const input = { modelServing: fresh, group: 0, instance: 0 };
    expect(renderService({ ...input, role: { ...role, workerReplicas: 0 } })).toBeDefined();
    expect(renderService({ ...input, role: without })).toBeUndefined();
  });
});
