import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { image, podTemplate } from '../../test/support/random-template.ts';
import { recordedByKthena } from '../../test/support/recorded.ts';
import { injectedVariables, type ModelServingSpec, nameLabel, type PodTemplate, roleLabel } from '../api/index.ts';
import { clone, isPlainObject, type PlainObject, type Pod } from '../objects/index.ts';
import { checkEligibility } from './check-eligibility.ts';

const spec = (entryTemplate: PlainObject, workerTemplate?: PlainObject): ModelServingSpec => ({
  template: {
    roles: [
      {
        name: 'r',
        workerReplicas: 1,
        entryTemplate: entryTemplate as PodTemplate,
        ...(workerTemplate && { workerTemplate: workerTemplate as PodTemplate }),
      },
    ],
  },
});

type Path = readonly (string | number)[];

/** Paths of all scalars. */
const leaves = (value: unknown, path: Path = []): readonly Path[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...path, index]));
  if (isPlainObject(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]));
  return value === undefined ? [] : [path];
};

const edited = (value: unknown, path: Path, change: (leaf: unknown) => unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? edited(item, rest, change) : item));
  return isPlainObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, name === key ? edited(item, rest, change) : item]),
      )
    : value;
};

/** Another value, and one that is nobody's default. */
const another = (leaf: unknown): unknown => {
  if (typeof leaf === 'boolean') return !leaf;
  return typeof leaf === 'number' ? leaf + 1001 : `${String(leaf)}x`;
};

const isImage = (path: Path): boolean => path.at(-1) === 'image' && path[1] === 'containers';

/** Paths alike where they lead to the same fields, whichever item of a list they go through. */
const fieldsOf = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '[]');

const asPath = (path: Path): string =>
  path.map((key) => (typeof key === 'number' || !/^\w+$/.test(key) ? `[${key}]` : `.${key}`)).join('');

describe('whatever the template', () => {
  it('an edit of exactly one field is named by its path, and nothing else is', () => {
    fc.assert(
      fc.property(podTemplate, fc.nat(), (template, pick) => {
        const candidates = leaves(template).filter((path) => !isImage(path));
        const path = candidates[pick % Math.max(1, candidates.length)];
        fc.pre(path !== undefined);
        if (path === undefined) return;
        const after = edited(template, path, another) as PlainObject;
        const { reasons } = checkEligibility(spec(template), spec(after));
        const wanted = fieldsOf(`spec.template.roles[r].entryTemplate${asPath(path)}`);
        const found = reasons.map((reason) => fieldsOf(reason.path));
        // A default that goes or comes is named at the field itself or where its object begins to say something.
        expect(
          found.some((one) => wanted.startsWith(one) || one.startsWith(wanted)),
          `${wanted} in ${found.join()}`,
        ).toBe(true);
        const list = wanted.slice(0, wanted.lastIndexOf('.'));
        for (const one of found) expect(sharesRoot(one, list), `${one} beside ${wanted}`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('an edit of images of regular containers is never a reason, and is listed in full', () => {
    fc.assert(
      fc.property(podTemplate, podTemplate, fc.infiniteStream(image), (entry, worker, images) => {
        const changed = (template: PlainObject): PlainObject =>
          leaves(template)
            .filter(isImage)
            .reduce((one, path) => edited(one, path, () => images.next().value) as PlainObject, template);
        const [newEntry, newWorker] = [changed(entry), changed(worker)];
        const { reasons, imageChanges } = checkEligibility(spec(entry, worker), spec(newEntry, newWorker));
        expect(reasons).toEqual([]);
        expect(imageChanges.map(({ template, from, to }) => [template, from, to])).toEqual([
          ...imagePairs('entry', entry, newEntry),
          ...imagePairs('worker', worker, newWorker),
        ]);
      }),
    );
  });

  it('the order of keys does not change the result', () => {
    fc.assert(
      fc.property(podTemplate, podTemplate, (before, after) => {
        const result = checkEligibility(spec(before), spec(after));
        expect(checkEligibility(spec(reversed(before)), spec(reversed(after)))).toEqual(result);
      }),
    );
  });

  it('neither side is written to, and one that is compared with itself has nothing to say', () => {
    fc.assert(
      fc.property(podTemplate, (template) => {
        const copy = clone(template);
        expect(checkEligibility(spec(template), spec(clone(template)))).toEqual({ reasons: [], imageChanges: [] });
        expect(template).toEqual(copy);
      }),
    );
  });
});

describe('a template and the Pods a real API server made of it', () => {
  it.each(['fresh', 'gang', 'partitioned', 'role-updated', 'sparse-ordinals'] as const)(
    'mean the same, whatever the server filled in: %s',
    (file) => {
      const { modelServing, pods } = recordedByKthena(file);
      const compared = pods.map((pod) => {
        const role = modelServing.spec.template.roles.find(({ name }) => name === pod.metadata.labels?.[roleLabel]);
        const isEntry = pod.metadata.labels?.['modelserving.volcano.sh/entry'] === 'true';
        const template = isEntry ? role?.entryTemplate : role?.workerTemplate;
        if (template === undefined) throw new Error(`${pod.metadata.name} has no template`);
        const { reasons, imageChanges } = checkEligibility(spec({ ...template }), spec(asTemplate(pod)));
        expect(reasons).toEqual([]);
        return imageChanges.length;
      });
      expect(compared.length).toBeGreaterThan(0);
    },
  );
});

const imagePairs = (name: string, before: unknown, after: unknown): readonly (readonly unknown[])[] =>
  leaves(before)
    .filter(isImage)
    .map((path) => [name, at(before, path), at(after, path)] as const)
    .filter(([, from, to]) => from !== to);

const at = (value: unknown, path: Path): unknown =>
  path.reduce((node: unknown, key) => (node as Record<string | number, unknown>)[key], value);

/** Within one container, say, defaults depend on one another: requests on limits, host ports on the host network. */
const sharesRoot = (one: string, list: string): boolean => {
  const root = list.split('.').slice(0, 6).join('.');
  return one.startsWith(root) || root.startsWith(one) || list.endsWith('spec');
};

const reversed = (value: PlainObject): PlainObject => turn(value) as PlainObject;

const turn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turn);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, turn(item)] as const);
  return Object.fromEntries(entries.reverse());
};

/** The Pod as a template again: without what a scheduler, admission and the operator put into it. */
const asTemplate = (pod: Pod): PlainObject => {
  const isToken = (name: string): boolean => name.startsWith('kube-api-access-');
  const own = (map: Readonly<Record<string, string>> | undefined): PlainObject =>
    Object.fromEntries(
      Object.entries(map ?? {}).filter(
        ([key]) => !/^(?:modelserving\.)?volcano\.sh\/|^(?:scheduling\.k8s|controller\.kubernetes)\.io\//.test(key),
      ),
    );
  const { nodeName: _, tolerations: _t, priority: _p, ...rest } = pod.spec ?? { containers: [] };
  expect(pod.metadata.labels?.[nameLabel]).toBeDefined();
  return {
    metadata: { labels: own(pod.metadata.labels), annotations: own(pod.metadata.annotations) },
    spec: {
      ...rest,
      volumes: (rest.volumes ?? []).filter(({ name }) => !isToken(name)),
      containers: rest.containers.map((container) => ({
        ...container,
        env: (container.env ?? []).filter(({ name }) => !injectedVariables.includes(name)),
        volumeMounts: (container.volumeMounts ?? []).filter(({ name }) => !isToken(name)),
      })),
    },
  };
};
