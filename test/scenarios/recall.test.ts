import { describe, expect, it } from 'vitest';
import { type ModelServing, modelServingResource } from '../../src/api/index.ts';
import type { Resource } from '../../src/kube/index.ts';
import { refOf } from '../../src/objects/index.ts';
import { type DecideInput, type Decision, decide, seePod } from '../../src/rollout/index.ts';
import { createWorld, type World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, deletePod, rolledOut } from './world.ts';

const modelServings: Resource<ModelServing> = modelServingResource;

const asData = (decision: Decision): unknown => structuredClone({ ...decision, phases: [...decision.phases] });

/** The same input with objects that no decision has seen before. */
const afresh = (input: DecideInput): DecideInput => ({
  ...input,
  modelServing: structuredClone(input.modelServing),
  children: structuredClone(input.children),
});

interface Recalled {
  readonly world: World;
  readonly decisions: () => number;
}

/** A world in which every decision is taken a second time on objects never seen, and must come out the same. */
const aWorldThatRecalls = async (): Promise<Recalled> => {
  let decisions = 0;
  const world = await createWorld({
    logic: {
      seePod,
      decide: (input) => {
        decisions += 1;
        const decision = decide(input);
        expect(asData(decision)).toEqual(asData(decide(afresh(input))));
        return decision;
      },
    },
    images: { 'engine:bad': { pullError: 'manifest unknown' } },
  });
  return { world, decisions: () => decisions };
};

describe('what decisions recall of the objects they have seen', () => {
  it('changes nothing, through updates, a failed image, losses, scaling and a pause', async () => {
    const { world, decisions } = await aWorldThatRecalls();
    const ms = await applied(world, aModelServing().groups(4).deadline(60).inPlace().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.settle();
    // Somebody wipes the milestones of Pods to which nothing happens: they are found again, Pod by Pod.
    const wipe = { status: { units: null } };
    await world.finish(
      world.client.patch(modelServings, refOf(ms), { type: 'merge', body: wipe }, { subresource: 'status' }),
    );
    await world.settle();
    await deletePod(world, 'ms-1-r-0-1');
    await world.setImage(ms, 'engine:bad');
    await world.run(200_000);
    await world.setImage(ms, 'engine:v3');
    await world.until(rolledOut);
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 6 } }));
    await world.until(rolledOut);
    await world.edit(ms, (live) => ({
      ...live,
      metadata: { ...live.metadata, annotations: { 'modelserving.volcano.sh/paused': 'true' } },
    }));
    await world.setImage(ms, 'engine:v4');
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 2 } }));
    await world.settle();
    expect(decisions()).toBeGreaterThan(100);
  });

  it('changes nothing under Role updates with a partition, nor where units are made again', async () => {
    const { world, decisions } = await aWorldThatRecalls();
    const manifest = aModelServing().groups(2).role('a', { replicas: 3, workers: 1, partition: 1 }).role('b').byRole();
    const ms = await applied(world, manifest.inPlace().build());
    await world.setImage(ms, 'engine:v2', 'a');
    await world.settle();
    await world.apply(manifest.role('a', { replicas: 3, workers: 1, image: 'engine:v3' }).recreate().build());
    await world.until(rolledOut);
    expect(decisions()).toBeGreaterThan(50);
  });
});
