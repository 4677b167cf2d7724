import { describe, expect, it } from 'vitest';
import type { ModelServing, PluginSpec } from '../../src/api/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import { registryOf } from '../../src/plugins/index.ts';
import { decide, seePod } from '../../src/rollout/index.ts';
import { createWorld, type World, withImage } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, condition, deletedPods, deletePod, places, rolledOut, specImages, uids } from './world.ts';

const tweak = (team: string): PluginSpec => ({
  name: 'demo-pod-tweaks',
  type: 'BuiltIn',
  config: { annotations: { team } },
});

const unknown: PluginSpec = { name: 'no-such-plugin', type: 'BuiltIn' };

const withPlugins = (plugins: readonly PluginSpec[], name = 'ms') =>
  aModelServing({ name })
    .groups(2)
    .image('engine:v1')
    .inPlace()
    .with((spec) => ({ ...spec, plugins }));

const setPlugins =
  (...plugins: readonly PluginSpec[]) =>
  (live: ModelServing): ModelServing => ({ ...live, spec: { ...live.spec, plugins } });

const teams = (world: World): readonly (string | undefined)[] =>
  world.pods().map((pod) => pod.metadata.annotations?.['team']);

const failures = (world: World): readonly (string | undefined)[] =>
  world.events('PluginFailed').map(({ message }) => message);

describe('plugins', () => {
  it('change the Pods that are made, of the Roles and targets they are for', async () => {
    const world = await aWorld();
    const scope = { target: 'Worker' };
    const ms = withPlugins([
      { name: 'demo-pod-tweaks', config: { env: [{ name: 'MODE', value: 'x' }] } },
      { ...tweak('a'), scope },
    ]);
    await applied(world, ms.build());
    expect(teams(world)).toEqual([undefined, 'a', undefined, 'a']);
    const variables = world.pods().map((pod) => pod.spec.containers[0]?.env?.at(-1)?.name);
    expect(new Set(variables)).toEqual(new Set(['MODE']));
  });

  it('of an edit reach Pods by recreation within the budget, and the event names them', async () => {
    const world = await aWorld();
    const ms = await applied(world, withPlugins([tweak('a')]).build());
    const before = uids(world);
    await world.edit(ms, setPlugins(tweak('b')));
    await world.until(rolledOut);
    expect(new Set(teams(world))).toEqual(new Set(['b']));
    expect(world.events('InPlaceUpdateFallback')[0]?.message).toMatch(/plugins/);
    for (const [name, uid] of Object.entries(uids(world))) expect(before[name]).not.toBe(uid);
  });

  it('are those of the revision that a Pod is made again from, not those of the spec', async () => {
    const world = await aWorld();
    const ms = await applied(world, withPlugins([tweak('a')]).build());
    await world.edit(ms, (live) => ({
      ...live,
      spec: withPlugins([tweak('b')])
        .partition(1)
        .image('engine:v2')
        .build().spec,
    }));
    await world.until(() => teams(world).join() === 'a,a,b,b' && world.status().availableReplicas === 2);
    await deletePod(world, 'ms-0-r-0-1');
    await world.run(5_000);
    await world.until(() => world.pods().length === 4 && world.status().availableReplicas === 2);
    expect(teams(world)).toEqual(['a', 'a', 'b', 'b']);
    expect(specImages(world.group(0))).toEqual(['engine:v1']);
  });

  it('come from a registry that is passed in', async () => {
    const own = registryOf({
      name: 'own',
      configure: () => ({
        state: 'ready',
        change: (pod) => ({
          ...pod,
          metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, team: 'o' } },
        }),
      }),
    });
    const world = await createWorld({ logic: { decide: (input) => decide({ ...input, plugins: own }), seePod } });
    await applied(world, withPlugins([{ name: 'own' }]).build());
    expect(new Set(teams(world))).toEqual(new Set(['o']));
  });
});

describe('a plugin that cannot be used', () => {
  it('lets no Pod be made, says why once, and leaves other ModelServings alone', async () => {
    const world = await aWorld();
    const ms = await world.apply(withPlugins([unknown]).build());
    await world.apply(withPlugins([tweak('a')], 'other').build());
    await world.until(() => world.status({ namespace: 'default', name: 'other' }).availableReplicas === 2);
    await world.run(60 * 60_000);
    expect(world.pods(ms)).toEqual([]);
    expect(failures(world)).toEqual([
      'no Pod is made: plugin "no-such-plugin" (spec.plugins[0]) is not known (known are: demo-pod-tweaks, lws-standard-labels); correct its name, or remove it',
    ]);
    expect(world.events('PluginFailed')[0]?.type).toBe('Warning');
    const { conditions } = world.status(ms);
    expect(conditions?.find(({ status }) => status === 'True')?.message).toMatch(/plugin "no-such-plugin".*correct/);
  });

  it('holds nothing up any more once it is corrected', async () => {
    const world = await aWorld();
    const ms = await world.apply(withPlugins([unknown]).build());
    await world.until(() => failures(world).length === 1);
    await world.edit(ms, setPlugins(tweak('a')));
    await world.until(rolledOut);
    expect(new Set(teams(world))).toEqual(new Set(['a']));
  });

  it('takes nothing down that runs: neither for the rollout, nor for a Pod that is lost', async () => {
    const world = await aWorld();
    const ms = await applied(world, withPlugins([tweak('a')]).build());
    const before = places(world);
    await world.edit(ms, setPlugins(unknown));
    await world.run(60 * 60_000);
    expect(places(world)).toEqual(before);
    expect(condition(world, 'UpdateInProgress')).toMatch(/^True.*no-such-plugin/);
    expect(world.events('InPlaceUpdateFallback')).toEqual([]);

    // The old revision can still be made, so a lost Pod comes back from it.
    await deletePod(world, 'ms-1-r-0-1');
    await world.run(5_000);
    await world.until(() => world.pods().length === 4 && world.status().availableReplicas === 2);
    expect(teams(world)).toEqual(['a', 'a', 'a', 'a']);
    expect(deletedPods(world)).toEqual(['ms-1-r-0-0']);
  });

  it('does not stop in-place updates of Pods that exist', async () => {
    // The Pods were made by an operator that had the plugin; this one has not.
    const passes = registryOf({
      name: 'no-such-plugin',
      configure: () => ({ state: 'ready', change: (pod) => pod }),
    });
    let plugins: typeof passes | undefined = passes;
    const world = await createWorld({ logic: { decide: (input) => decide({ ...input, plugins }), seePod } });
    const ms = await applied(world, withPlugins([unknown]).build());
    const before = places(world);
    plugins = undefined;
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(failures(world)).toHaveLength(1);

    // A Pod that is lost now cannot be made again; its peers stay, and the message tells.
    await deletePod(world, 'ms-1-r-0-1');
    await world.run(60_000);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0', 'ms-0-r-0-1', 'ms-1-r-0-0']);
    expect(deletedPods(world)).toEqual([]);
    expect(condition(world, 'Progressing')).toMatch(/^True.*no-such-plugin/);
  });

  it('takes down no unit in update either: neither for a retarget, nor when its deadline passes', async () => {
    const world = await aWorld({ images: { 'engine:bad': { neverReady: true } } });
    const ms = await applied(
      world,
      withPlugins([tweak('a')])
        .deadline(60)
        .build(),
    );
    const before = uids(world);
    await world.setImage(ms, 'engine:bad');
    await world.until(() => specImages(world.group(1)).join() === 'engine:bad');
    await world.edit(ms, (live) => withImage(setPlugins(unknown)(live), 'engine:v3'));
    await world.run(30 * 60_000);
    expect(uids(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
    expect(condition(world, 'UpdateInProgress')).toMatch(/no-such-plugin/);

    await world.edit(ms, setPlugins(tweak('b')));
    await world.until(rolledOut);
    expect(new Set(teams(world))).toEqual(new Set(['b']));
    expect(specImages(world.pods())).toEqual(['engine:v3']);
  });

  it('at its deadline takes no Pod down that the very revision cannot make again', async () => {
    const passes = registryOf({ name: 'no-such-plugin', configure: () => ({ state: 'ready', change: (pod) => pod }) });
    let plugins: typeof passes | undefined = passes;
    const images = { 'engine:bad': { neverReady: true } };
    const world = await createWorld({ images, logic: { decide: (input) => decide({ ...input, plugins }), seePod } });
    const ms = await applied(world, withPlugins([unknown]).deadline(60).build());
    const before = uids(world);
    plugins = undefined;
    await world.setImage(ms, 'engine:bad');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1);
    await world.run(30 * 60_000);
    expect(uids(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
    await world.setImage(ms, 'engine:v3');
    await world.until(rolledOut);
    expect(uids(world)).toEqual(before);
  });
});
