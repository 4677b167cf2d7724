import { type ModelServing, modelServingResource } from '../../api/index.ts';
import type { Cluster } from '../../cluster/index.ts';
import type { KubeClient } from '../../kube/index.ts';
import { nameOf, type Pod, uidOf } from '../../objects/index.ts';
import { CliError } from '../cli-error.ts';
import { demoTags } from './demo-images.ts';
import { type LiveView, WaitTimeoutError } from './live-view.ts';
import { isRolledOut } from './rolled-out.ts';
import type { Screen } from './screen.ts';
import { textTable } from './text-table.ts';

export interface StoryParts {
  readonly client: KubeClient;
  readonly cluster: Cluster;
  readonly screen: Screen;
  readonly view: LiveView;
  readonly namespace: string;
  readonly name: string;
  /** How long each step may take, milliseconds. */
  readonly timeoutMs: number;
}

/** What a Pod is, whatever runs in it: what an in-place update must not change. */
interface PodFacts {
  readonly name: string;
  readonly uid: string;
  readonly node: string;
  readonly ip: string;
}

/**
 * The main job, shown: a new image in place, with the proof that every Pod stayed the same; then a tag that does not
 * exist, and the way back. Throws a CliError that says which step was not reached and why.
 */
export const tellStory = async (parts: StoryParts): Promise<void> => {
  const { screen, view, cluster } = parts;
  await step(parts, `created with ${demoTags.first}; waiting until every Pod is Ready`, () =>
    isRolledOut(view.modelServing()),
  );
  const before = view.pods().map(factsOf);
  const ledgerStart = cluster.ledger.length;

  await setImage(parts, demoTags.second);
  await step(parts, `image set to ${demoTags.second}: patched into the running Pods, group by group`, () =>
    isAt(view, demoTags.second),
  );
  proveSamePods(parts, { before, ledgerStart });

  await setImage(parts, demoTags.missing);
  await step(parts, `image set to ${demoTags.missing}, which does not exist`, () => isStalled(view.modelServing()));
  screen.say(`  ${conditionMessage(view.modelServing())}`);
  await setImage(parts, demoTags.second);
  await step(parts, `back to ${demoTags.second}: nothing had to be deleted for it`, () => isAt(view, demoTags.second));
  proveSamePods(parts, { before, ledgerStart });
};

const step = async ({ screen, view, timeoutMs }: StoryParts, title: string, done: () => boolean): Promise<void> => {
  screen.settle();
  screen.say();
  screen.say(`> ${title}`);
  try {
    await view.until(done, timeoutMs);
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new CliError(`Not reached within ${timeoutMs / 1000} s: ${title}. ${error.message}`, { cause: error });
  }
};

/** Every container named `engine`, as a user would edit it: one JSON patch, tested against what was there. */
const setImage = async ({ client, view, namespace, name }: StoryParts, image: string): Promise<void> => {
  const roles = view.modelServing()?.spec.template.roles ?? [];
  const body = roles.flatMap((role, index) =>
    (['entryTemplate', 'workerTemplate'] as const).flatMap((template) =>
      (role[template]?.spec?.containers ?? []).map((_, container) => ({
        op: 'replace',
        path: `/spec/template/roles/${index}/${template}/spec/containers/${container}/image`,
        value: image,
      })),
    ),
  );
  await client.patch<ModelServing>(modelServingResource, { namespace, name }, { type: 'json', body });
};

const isAt = (view: LiveView, image: string): boolean =>
  isRolledOut(view.modelServing()) &&
  view.pods().every((pod) => pod.spec.containers.every((container) => container.image === image));

const isStalled = (modelServing: ModelServing | undefined): boolean =>
  modelServing?.status?.conditions?.some(
    ({ status, reason }) => status === 'True' && reason === 'InPlaceUpdateStalled',
  ) === true;

const conditionMessage = (modelServing: ModelServing | undefined): string =>
  modelServing?.status?.conditions?.find(({ type }) => type === 'UpdateInProgress')?.message ?? '';

const factsOf = (pod: Pod): PodFacts => ({
  name: nameOf(pod),
  uid: uidOf(pod),
  node: pod.spec.nodeName ?? '-',
  ip: pod.status?.podIP ?? '-',
});

const proveSamePods = (
  { screen, view, cluster }: StoryParts,
  it: { readonly before: readonly PodFacts[]; readonly ledgerStart: number },
): void => {
  const after = new Map(view.pods().map((pod) => [nameOf(pod), factsOf(pod)]));
  const rows = it.before.map((pod) => {
    const now = after.get(pod.name);
    return [`  ${pod.name}`, same(pod.uid, now?.uid), same(pod.node, now?.node), same(pod.ip, now?.ip)];
  });
  screen.settle();
  screen.say();
  for (const line of textTable([['  POD', 'UID', 'NODE', 'IP'], ...rows])) screen.say(line);
  const writes = cluster.ledger.slice(it.ledgerStart).filter(({ resource }) => resource === 'pods');
  const deletes = writes.filter(({ verb }) => verb === 'delete').length;
  const creates = writes.filter(({ verb }) => verb === 'create').length;
  screen.say(`  Pods deleted: ${deletes}, Pods created: ${creates}`);
  if (deletes + creates > 0 || rows.some((row) => row.some((cell) => cell.includes('->')))) {
    throw new CliError(
      'The update was not in place: a Pod was deleted, created or replaced. This is a fault of the operator.',
    );
  }
};

const same = (before: string, after: string | undefined): string =>
  before === after ? `${before.slice(0, 15)} (same)` : `${before} -> ${after ?? 'gone'}`;
