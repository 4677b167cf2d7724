import {
  isPlainObject,
  jsonEqual,
  member,
  type PlainObject,
  type Pod,
  parseImageReference,
} from '../../objects/index.ts';
import { templateMeaning } from '../../revision/index.ts';

/**
 * What a live Pod is to the Pod that a template makes today.
 *
 * `equal`: nothing differs but what the API server and its own admission plugins put into every Pod, and what agents
 * and people note in the metadata of live ones. `contained`: all that the template asks for is there, and more, as
 * injecting webhooks leave it; whether the rest was injected or once stood in the template, nobody can see. Identity,
 * revision and the state of updates do not count.
 */
export type LiveRelation = 'equal' | 'contained' | 'different';

export const compareLive = (live: Pod, rendered: Pod): LiveRelation => {
  // Most comparisons end here, at a hundredth of the price.
  if (hasOtherImage(live, rendered)) return 'different';
  const wanted = meaningOf(rendered);
  const found = meaningOf(withoutAdmission(live, rendered));
  if (!contains(found, wanted)) return 'different';
  return jsonEqual(found['spec'], wanted['spec']) ? 'equal' : 'contained';
};

/** Whether a container of the live Pod runs another image than the template's, and no mirror of it explains that. */
export const hasOtherImage = (live: Pod, rendered: Pod): boolean =>
  rendered.spec.containers.some(({ name, image }) => {
    const found = live.spec.containers.find((container) => container.name === name);
    return found === undefined || !isSameOrMirrored(found.image ?? '', image ?? '');
  });

/** Volcano's annotations follow the PodGroup, which no template asks for. */
const volcano: readonly string[] = ['scheduling.k8s.io/group-name', 'volcano.sh/task-spec'];

const meaningOf = ({ metadata, spec }: Pod): PlainObject => {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !volcano.includes(key));
  return templateMeaning({ metadata: { labels: metadata.labels, annotations: Object.fromEntries(annotations) }, spec });
};

/**
 * The live Pod without what Kubernetes itself adds when it is created or scheduled: node, priority, the tolerations of
 * DefaultTolerationSeconds, the token of ServiceAccount; and the fields that admission fills in only where the Pod had
 * none (pull secrets, priority class, overhead).
 */
const withoutAdmission = (live: Pod, { spec: wanted }: Pod): Pod => {
  const { nodeName: _n, priority: _p, schedulingGates: _s, ephemeralContainers: _e, ...spec } = live.spec;
  const asksFor = (key: string): boolean => (member({ ...wanted }, key) ?? undefined) !== undefined;
  const kept = Object.entries(spec).filter(
    ([key]) => !filledIn.some((keys) => keys.includes(key) && !keys.some(asksFor)),
  );
  return {
    ...live,
    spec: {
      ...(Object.fromEntries(kept) as unknown as Pod['spec']),
      tolerations: (spec.tolerations ?? []).filter(
        (one) => !isDefaultToleration(one) || wanted.tolerations?.some((other) => jsonEqual(other, one)) === true,
      ),
      volumes: (spec.volumes ?? []).filter(({ name }) => !isToken(name)),
      containers: spec.containers.map(withoutToken),
      initContainers: spec.initContainers?.map(withoutToken),
    },
  };
};

/** Filled in where the Pod asks for none of the line. */
const filledIn: readonly (readonly string[])[] = [
  ['serviceAccountName', 'serviceAccount'],
  ['imagePullSecrets'],
  ['priorityClassName'],
  ['preemptionPolicy'],
  ['overhead'],
];

const isDefaultToleration = (toleration: NonNullable<Pod['spec']['tolerations']>[number]): boolean =>
  (toleration.key === 'node.kubernetes.io/not-ready' || toleration.key === 'node.kubernetes.io/unreachable') &&
  toleration.effect === 'NoExecute' &&
  toleration.operator === 'Exists' &&
  toleration.tolerationSeconds === 300;

const isToken = (volume: string): boolean => volume.startsWith('kube-api-access-');

const withoutToken = <T extends Pod['spec']['containers'][number]>(container: T): T => ({
  ...container,
  volumeMounts: container.volumeMounts?.filter(({ name }) => !isToken(name)),
});

/**
 * Whether everything that is wanted is found: members of objects, items of lists of objects in their order with others
 * in between, lists of anything else as they stand.
 */
const contains = (found: unknown, wanted: unknown, key = ''): boolean => {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return false;
    if (!wanted.every(isPlainObject)) return jsonEqual(found, wanted);
    let from = 0;
    return wanted.every((item) => {
      const at = found.findIndex((candidate, index) => index >= from && contains(candidate, item));
      from = at + 1;
      return at !== -1;
    });
  }
  if (isPlainObject(wanted)) {
    return (
      isPlainObject(found) &&
      Object.entries(wanted).every(([name, value]) => contains(member(found, name), value, name))
    );
  }
  if (key === 'image' && typeof found === 'string' && typeof wanted === 'string') {
    return isSameOrMirrored(found, wanted);
  }
  // AlwaysPullImages.
  return found === wanted || (key === 'imagePullPolicy' && found === 'Always');
};

/** The same image, or one of the same name and tag somewhere else: admission likes to send pulls to a mirror. */
const isSameOrMirrored = (found: string, wanted: string): boolean => {
  if (found === wanted) return true;
  const [a, b] = [parseImageReference(found), parseImageReference(wanted)];
  if (a === undefined || b === undefined) return false;
  const lastPart = (repository: string): string => repository.slice(repository.lastIndexOf('/') + 1);
  return (
    lastPart(a.repository) === lastPart(b.repository) &&
    (a.tag ?? '') === (b.tag ?? '') &&
    (b.digest === undefined || a.digest === b.digest)
  );
};
