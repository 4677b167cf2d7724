import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Bed } from '../../tools/control-plane/bed.ts';
import { kubectl } from '../../tools/control-plane/plane.ts';
import { type Api, events, type KubeObject, modelServings, openApi } from './api.ts';
import { theBed } from './bed.ts';
import { installCrd } from './install-crd.ts';
import { type OperatorProcess, startOperator } from './operator-process.ts';
import { type ContainerStatus, isReady, type LivePod } from './pod-history.ts';
import { claimsRolledOut, imagePatch, type LiveServing, type ServingOptions, serving } from './serving.ts';
import { until } from './wait.ts';
import { startWitness, type Witness } from './witness.ts';

/** An operator on the real control plane, and one ModelServing a test. */
export interface Trial {
  readonly bed: () => Bed;
  readonly api: () => Api;
  readonly witness: () => Witness;
  readonly serving: () => LiveServing;
  /** Creates the ModelServing and waits until all of its Pods are Ready. */
  readonly create: (options: ServingOptions) => Promise<void>;
  /** Sets the tag of the image in all templates. */
  readonly setImage: (tag: string) => Promise<void>;
  readonly edit: (patch: readonly object[]) => Promise<void>;
  /** Waits until containerd runs the image with this VERSION in every Pod, and the status calls the edit rolled out. */
  readonly rolledOut: (version: string, seconds?: number) => Promise<void>;
  /** All wanted Pods are there and Ready, and the status says so. */
  readonly isWhole: () => boolean;
  /** The Pod named after the ModelServing with this suffix. */
  readonly pod: (suffix: string) => LivePod;
  readonly container: (suffix: string) => ContainerStatus | undefined;
  readonly restarts: () => readonly number[];
  readonly uids: () => readonly string[];
  readonly eventsOf: (reason: string) => Promise<readonly string[]>;
  readonly killOperator: () => Promise<void>;
  readonly startOperator: () => Promise<void>;
}

const podsOf = ({ spec }: LiveServing): number => {
  const perGroup = spec.template.roles.map((role) => role.replicas * (1 + role.workerReplicas));
  return spec.replicas * perGroup.reduce((total, count) => total + count, 0);
};

/** Starts the operator before the tests of a suite and ends it after them; what a test creates is removed after it. */
export const openTrial = (): Trial => {
  let bed: Bed;
  let api: Api;
  let operator: OperatorProcess;
  let witness: Witness;
  let name = '';

  const byName = (): [string, LivePod][] => [...witness.podsByName()].sort(([a], [b]) => (a < b ? -1 : 1));
  const isWhole = (): boolean => {
    const own = byName();
    return (
      own.length === podsOf(witness.serving()) &&
      own.every(([, pod]) => isReady(pod)) &&
      claimsRolledOut(witness.serving())
    );
  };
  const edit = async (patch: readonly object[]): Promise<void> => {
    await api.patch(`${modelServings}/${name}`, patch, 'json');
  };
  const pod = (suffix: string): LivePod => {
    const found = witness.podsByName().get(`${name}-${suffix}`);
    if (found === undefined) throw new Error(`no Pod ${name}-${suffix}`);
    return found;
  };

  beforeAll(async () => {
    bed = theBed();
    api = openApi(bed);
    await installCrd(bed);
    operator = await startOperator(bed);
  });
  afterAll(async () => {
    const code = await operator.stop();
    await api.close();
    expect(code).toBe(0);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const state = await kubectl(bed, ['get', 'modelservings,pods', '-o', 'yaml']);
      process.stderr.write(`${operator.log()}\n${state}`);
    }
    await api.remove(`${modelServings}/${name}`);
    await until('the Pods to be collected', () => witness.podsByName().size === 0);
    await witness.stop();
  });

  return {
    bed: () => bed,
    api: () => api,
    witness: () => witness,
    serving: () => witness.serving(),
    create: async (options) => {
      name = options.name;
      witness = startWitness(bed, api, name);
      await api.create(modelServings, serving(options));
      await until('the ModelServing to be seen', () => witness.isSeen());
      await until('Ready Pods, and a status that says so', isWhole);
    },
    setImage: (tag) => edit(imagePatch(witness.serving(), tag)),
    edit,
    rolledOut: async (version, seconds = 120) => {
      const runsEverywhere = async (): Promise<boolean> => {
        const running = [...(await witness.running()).values()];
        return running.length === podsOf(witness.serving()) && running.every((one) => one === version) && isWhole();
      };
      await until(`${version} to be rolled out`, runsEverywhere, seconds);
    },
    isWhole,
    pod,
    container: (suffix) => pod(suffix).status.containerStatuses?.[0],
    restarts: () => byName().map(([, { status }]) => status.containerStatuses?.[0]?.restartCount ?? -1),
    uids: () => byName().map(([key, { metadata }]) => `${key} ${metadata.uid}`),
    eventsOf: async (reason) => {
      type Event = KubeObject & { reason: string; message: string; involvedObject: { name: string } };
      const { items } = await api.get<{ items: readonly Event[] }>(events);
      const own = items.filter((event) => event.involvedObject.name === name && event.reason === reason);
      return own.map((event) => event.message);
    },
    killOperator: () => operator.kill(),
    startOperator: async () => {
      operator = await startOperator(bed);
    },
  };
};
