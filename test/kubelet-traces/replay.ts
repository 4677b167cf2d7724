import { createCluster, type ImageBehaviour } from '../../src/cluster/index.ts';
import { createClient, resources } from '../../src/kube/index.ts';
import type { ContainerState, Pod } from '../../src/objects/index.ts';
import type { Random } from '../../src/platform/index.ts';
import { createVirtualPlatform } from '../../src/simulation/index.ts';
import { byFirstSight, type Recording, type Row } from './recording.ts';

const repository = 'registry.local/ms/engine';

/**
 * The time of the recording starts at this moment of the cluster: the Pod is Ready, its worker idle, and the kubelet
 * looks at its runtime at whole seconds, as it did when it was recorded.
 */
const startMs = 3000;

/** What the recorder was told, arrives at the API server a little later. */
const commandMs = 20;

/** Plays what the user did to a Pod on a fresh cluster and writes down what a watch shows. */
export const replay = async (
  recording: Pick<Recording, 'patches'>,
  images: Readonly<Record<string, ImageBehaviour>>,
  untilSeconds: number,
): Promise<readonly { readonly atSeconds: number; readonly row: Row }[]> => {
  const machine = createVirtualPlatform();
  const platform = { clock: machine.clock, timers: machine.timers, random: highNumbers() };
  const behaviours = Object.entries(images).map(([tag, behaviour]) => [`${repository}:${tag}`, behaviour] as const);
  const cluster = createCluster({ platform, nodes: [{ name: 'n1' }], images: Object.fromEntries(behaviours) });
  const client = createClient({ transport: cluster.connect('user'), platform });
  const wait = <T>(work: Promise<T>): Promise<T> => machine.complete(work, { timeoutMs: 1000 });
  await wait(cluster.start());
  await wait(client.create(resources.pods, thePod));
  await machine.advance(startMs - machine.clock.monotonic());

  const rows: { atSeconds: number; row: Row }[] = [];
  const imageID = byFirstSight();
  const containerID = byFirstSight();
  client.watch(
    resources.pods,
    { namespace: 'default' },
    {
      onEvent: (event) => {
        if (event.type === 'ERROR') throw event.error;
        const row = rowOf(event.object, { imageID, containerID });
        const atSeconds = (machine.clock.monotonic() - startMs) / 1000;
        // The recorder wrote nothing down for an event that changed nothing of what it looked at.
        if (JSON.stringify(rows.at(-1)?.row) !== JSON.stringify(row)) rows.push({ atSeconds, row });
      },
      onEnd: (error) => {
        throw error ?? new Error('the watch ended');
      },
    },
  );
  for (const { atSeconds, tag } of recording.patches) {
    await machine.advance(startMs + atSeconds * 1000 + commandMs - machine.clock.monotonic());
    const body = { spec: { containers: [{ name: 'c', image: `${repository}:${tag}` }] } };
    await wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, { type: 'strategic', body }));
  }
  await machine.advance(startMs + untilSeconds * 1000 - machine.clock.monotonic());
  await cluster.stop();
  return rows;
};

const thePod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default' },
  spec: {
    terminationGracePeriodSeconds: 3,
    containers: [
      { name: 'c', image: `${repository}:v1`, readinessProbe: { exec: { command: ['true'] }, periodSeconds: 1 } },
    ],
  },
};

/**
 * A failed sync is repeated after 10 to 15 s, drawn at random. In the recordings the user was faster each time; with
 * numbers from the upper end he is here too.
 */
const highNumbers = (): Random => {
  let next = 0xf000_0000;
  return { uint32: () => next++ };
};

const rowOf = (pod: Pod, identity: { imageID(id: string): string; containerID(id: string): string }): Row => {
  const [container] = pod.spec.containers;
  const [status] = pod.status?.containerStatuses ?? [];
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
  return {
    generations: `${pod.metadata.generation}/${pod.status?.observedGeneration}`,
    phase: pod.status?.phase ?? '',
    specTag: tagOf(container?.image),
    imageTag: tagOf(status?.image),
    imageID: identity.imageID(status?.imageID ?? ''),
    containerID: identity.containerID(status?.containerID ?? ''),
    state: wordFor(status?.state),
    lastState: wordFor(status?.lastState),
    readyStarted: `${python(status?.ready)}/${python(status?.started)}`,
    restarts: String(status?.restartCount),
    podReady: ready?.status ?? '',
  };
};

const tagOf = (image: string | undefined): string => image?.slice(image.lastIndexOf(':') + 1) ?? '';

const python = (value: boolean | undefined): string => (value === true ? 'True' : 'False');

const wordFor = (state: ContainerState | undefined): string => {
  if (state?.running !== undefined) return 'running';
  if (state?.waiting !== undefined) return `waiting(${state.waiting.reason})`;
  if (state?.terminated !== undefined)
    return `terminated(${state.terminated.reason},exit ${state.terminated.exitCode})`;
  return '-';
};
