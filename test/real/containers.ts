import type { Bed } from '../../tools/control-plane/bed.ts';
import { ctr } from '../../tools/control-plane/node.ts';

/** A container that runs at this moment, as containerd knows it. */
export interface RunningContainer {
  readonly id: string;
  readonly podUid: string;
  readonly name: string;
  /** Which of the test images its process was started from: their environment says so, no tag and no digest can lie. */
  readonly version: string;
}

interface ContainerInfo {
  readonly Labels: Readonly<Record<string, string>>;
  readonly Spec: { readonly process: { readonly env: readonly string[] } };
}

const runningIds = async (bed: Bed): Promise<string[]> =>
  (await ctr(bed, 'tasks', 'list'))
    .split('\n')
    .filter((line) => line.includes(' RUNNING'))
    .map((line) => line.split(' ')[0] ?? '');

const described = async (bed: Bed, id: string): Promise<RunningContainer | undefined> => {
  const info = JSON.parse(await ctr(bed, 'containers', 'info', id)) as ContainerInfo;
  const label = (name: string): string => info.Labels[`io.kubernetes.${name}`] ?? '';
  if (info.Labels['io.cri-containerd.kind'] !== 'container') return undefined;
  const version = info.Spec.process.env.find((entry) => entry.startsWith('VERSION='))?.slice('VERSION='.length) ?? '';
  return { id, podUid: label('pod.uid'), name: label('container.name'), version };
};

/** Every container that runs on the node now (sandboxes aside): the truth that no status has a say in. */
export const runningContainers = async (bed: Bed): Promise<RunningContainer[]> => {
  const found = await Promise.all(
    (await runningIds(bed)).map((id) =>
      // Ended and removed between the list and the question: it does not run.
      described(bed, id).catch(() => undefined),
    ),
  );
  return found.filter((container) => container !== undefined);
};
