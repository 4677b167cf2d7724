import { type ModelServing, podGroupNameAnnotation } from '../../src/api/index.ts';
import type { Pod } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { rolledOut } from '../scenarios/world.ts';
import { aModelServing, type ModelServingBuilder, type RoleOptions } from '../world/builders.ts';

const requesting = (cpu: string, memory: string): RoleOptions => ({
  spec: (spec) => ({
    ...spec,
    containers: spec.containers.map((container) => ({
      ...container,
      resources: { requests: { cpu }, limits: { cpu: '64', memory } },
    })),
  }),
});

/** Two prefill instances and one decode instance, each of an entry and a worker. */
export const gang = (groups: number): ModelServingBuilder =>
  aModelServing()
    .groups(groups)
    .inPlace()
    .role('prefill', { replicas: 2, workers: 1, ...requesting('1', '4Gi') })
    .role('decode', { replicas: 1, workers: 1, ...requesting('500m', '1Gi') })
    .with((spec) => ({ ...spec, schedulerName: 'volcano' }));

export type Spec = ModelServing['spec'];

/** An edit of the spec, for `world.edit`. */
export const editSpec =
  (change: (spec: Spec) => Partial<Spec>) =>
  (live: ModelServing): ModelServing => ({ ...live, spec: { ...live.spec, ...change(live.spec) } });

/** An edit of the group template. */
export const editTemplate =
  (change: Partial<Spec['template']>) =>
  (live: ModelServing): ModelServing => ({
    ...live,
    spec: { ...live.spec, template: { ...live.spec.template, ...change } },
  });

/** Sets an annotation of the ModelServing, or removes it. */
export const annotate =
  (key: string, value: string | undefined) =>
  (live: ModelServing): ModelServing => ({
    ...live,
    metadata: {
      ...live.metadata,
      annotations: Object.fromEntries(
        Object.entries({ ...live.metadata.annotations, [key]: value }).filter((entry) => entry[1] !== undefined),
      ) as Record<string, string>,
    },
  });

/** The PodGroup that each Pod names. */
export const memberships = (pods: readonly Pod[]): readonly (string | undefined)[] =>
  pods.map((pod) => pod.metadata.annotations?.[podGroupNameAnnotation]);

/** Writes of the operator to PodGroups since a mark: `create ms-0`. */
export const writes = (world: World, mark = 0): readonly string[] =>
  world.ledger
    .since(mark)
    .writes({ by: operatorUser, resource: 'podgroups' })
    .map(({ verb, name }) => `${verb} ${name}`);

/** Rolled out, and some seconds of rest around it. */
export const settled = async (world: World): Promise<void> => {
  await world.run(5_000);
  await world.until(rolledOut);
  await world.run(5_000);
};
