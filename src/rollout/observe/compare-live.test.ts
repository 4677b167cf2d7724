import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../../test/support/recorded.ts';
import { parsePodName } from '../../api/index.ts';
import { deepFreeze, nameOf, type Pod, type PodSpec } from '../../objects/index.ts';
import { buildPluginChain, builtinPlugins } from '../../plugins/index.ts';
import { readRevision, restoreRoles, revisionOf } from '../../revision/index.ts';
import { compareLive, hasOtherImage } from './compare-live.ts';
import { renderRecipe } from './render-recipe.ts';

type State = Parameters<typeof recordedByKthena>[0];

/** Every recorded Pod of a state beside the Pod that its record makes, where there is a record. */
const pairs = (state: State): readonly { readonly live: Pod; readonly rendered: Pod }[] => {
  const { modelServing, revisions, pods } = recordedByKthena(state);
  const { spec } = modelServing;
  return pods.flatMap((live) => {
    const revision = live.metadata.labels?.['modelserving.volcano.sh/revision'];
    const record = revisions.find((it) => revisionOf(it) === revision);
    const reading = record === undefined ? undefined : readRevision(record);
    const at = parsePodName(nameOf(modelServing), nameOf(live));
    if (reading?.state !== 'readable' || at === undefined) return [];
    const rendered = renderRecipe(modelServing, at, {
      roles: new Map(restoreRoles(reading.data, spec.template.roles).map((role) => [role.name, role])),
      schedulerName: spec.schedulerName ?? 'volcano',
      plugins: buildPluginChain(spec.plugins ?? [], builtinPlugins),
    });
    return rendered === undefined ? [] : [{ live: deepFreeze(live), rendered: deepFreeze(rendered) }];
  });
};

const aPair = (): { readonly live: Pod; readonly rendered: Pod } => {
  const [pair] = pairs('fresh');
  if (pair === undefined) throw new Error('fresh.json has Pods');
  return pair;
};

const withSpec = (pod: Pod, change: (spec: PodSpec) => PodSpec): Pod => ({ ...pod, spec: change(pod.spec) });

type Container = PodSpec['containers'][number];

const withContainer = (pod: Pod, change: (container: Container) => Container): Pod =>
  withSpec(pod, (spec) => ({ ...spec, containers: spec.containers.map(change) }));

describe('a live Pod beside the one its template makes today', () => {
  it.each(['fresh', 'partitioned', 'stuck-mid-rollout', 'sparse-ordinals', 'gang', 'lws'] as const)(
    '%s: is equal for every Pod that kthena made, whatever a real API server added',
    (state) => {
      const all = pairs(state);
      expect(all).toHaveLength(recordedByKthena(state).pods.length);
      expect(all.map(({ live, rendered }) => [nameOf(live), compareLive(live, rendered)])).toEqual(
        all.map(({ live }) => [nameOf(live), 'equal']),
      );
    },
  );

  const mirror = 'registry.local:5000/docker.io/library/engine:v1';
  it.each<[string, (live: Pod) => Pod]>([
    [
      'a sidecar',
      (live) =>
        withSpec(live, (spec) => ({ ...spec, containers: [{ name: 'proxy', image: 'p' }, ...spec.containers] })),
    ],
    [
      'a variable',
      (live) => withContainer(live, (one) => ({ ...one, env: [{ name: 'X', value: '1' }, ...(one.env ?? [])] })),
    ],
    ['a mirror of the image', (live) => withContainer(live, (one) => ({ ...one, image: mirror }))],
    [
      'a digest behind the tag',
      (live) => withContainer(live, (one) => ({ ...one, image: `${one.image}@sha256:${'0'.repeat(64)}` })),
    ],
    ['AlwaysPullImages', (live) => withContainer(live, (one) => ({ ...one, imagePullPolicy: 'Always' }))],
    [
      'a toleration',
      (live) =>
        withSpec(live, (spec) => ({ ...spec, tolerations: [...(spec.tolerations ?? []), { operator: 'Exists' }] })),
    ],
  ])('contains it, where admission added %s', (_, change) => {
    const { live, rendered } = aPair();
    expect(compareLive(change(live), rendered)).toBe('contained');
    expect(hasOtherImage(change(live), rendered)).toBe(false);
  });

  it.each<[string, (rendered: Pod) => Pod]>([
    ['an image', (pod) => withContainer(pod, (one) => ({ ...one, image: 'engine:v2' }))],
    ['an image of another name', (pod) => withContainer(pod, (one) => ({ ...one, image: 'other:v1' }))],
    ['a variable', (pod) => withContainer(pod, (one) => ({ ...one, env: [{ name: 'MODE', value: 'other' }] }))],
    ['an argument', (pod) => withContainer(pod, (one) => ({ ...one, args: one.args?.slice(1) }))],
    ['a limit', (pod) => withContainer(pod, (one) => ({ ...one, resources: { limits: { cpu: '3' } } }))],
    ['a node selector', (pod) => withSpec(pod, (spec) => ({ ...spec, nodeSelector: { gpu: 'a' } }))],
    ['a container', (pod) => withSpec(pod, (spec) => ({ ...spec, containers: [...spec.containers, { name: 'x' }] }))],
    ['the service account', (pod) => withSpec(pod, (spec) => ({ ...spec, serviceAccountName: 'x' }))],
    [
      'an annotation',
      (pod) => ({ ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, a: 'b' } } }),
    ],
  ])('is different, where the template asks for %s', (_, change) => {
    const { live, rendered } = aPair();
    expect(compareLive(live, change(rendered))).toBe('different');
  });

  it('is equal whatever others have noted in its metadata', () => {
    const { live, rendered } = aPair();
    const { labels, annotations } = live.metadata;
    const noted = {
      ...live,
      metadata: {
        ...live.metadata,
        labels: { ...labels, mesh: 'on' },
        annotations: { ...annotations, ip: '10.0.0.1' },
      },
    };
    expect(compareLive(noted, rendered)).toBe('equal');
  });

  it('is not equal where the template asks for less than it did', () => {
    const { live, rendered } = aPair();
    const less = withContainer(rendered, (one) => ({ ...one, ports: [] }));
    expect(compareLive(live, less)).toBe('contained');
  });

  it('has another image only where name or tag differ', () => {
    const { live, rendered } = aPair();
    expect(hasOtherImage(live, rendered)).toBe(false);
    expect(
      hasOtherImage(
        live,
        withContainer(rendered, (one) => ({ ...one, image: 'engine:v2' })),
      ),
    ).toBe(true);
    expect(
      hasOtherImage(
        live,
        withContainer(rendered, (one) => ({ ...one, env: [] })),
      ),
    ).toBe(false);
  });
});
