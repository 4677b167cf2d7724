import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aContainer, aPod, isReady, probe, type SmallCluster, smallCluster, statusOf } from './small-cluster.ts';

/** Something that happens to the Pod `p` or to its node. */
type Step =
  | { readonly do: 'image'; readonly tag: string }
  | { readonly do: 'kill'; readonly code: number }
  | { readonly do: 'lose' | 'pause' | 'resume' | 'mute' | 'unmute' | 'restart' | 'reboot' | 'unready' | 'as-it-is' };

const images = {
  'engine:v1': { content: 'one' },
  'engine:alias': { content: 'one' },
  'engine:stubborn': { ignoresTerm: true, readyAfterMs: 2_000 },
  'engine:crash': { exitsAfterMs: 700, exitCode: 1 },
  'engine:missing': { pullError: 'not found' },
  'engine:slow': { pullMs: 20_000, readyAfterMs: 8_000 },
};

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(images)).map((tag): Step => ({ do: 'image', tag })) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 137).map((code): Step => ({ do: 'kill', code })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('lose', 'pause', 'resume', 'mute', 'unmute', 'restart', 'reboot', 'unready', 'as-it-is')
      .map((what): Step => ({ do: what }) as Step),
  },
);

const perform = async (world: SmallCluster, step: Step): Promise<void> => {
  const { nodes } = world.cluster;
  const pod = await world.pod();
  switch (step.do) {
    case 'image':
      await world.setImage(step.tag);
      break;
    case 'kill':
      nodes.kill(pod, 'c', { code: step.code });
      break;
    case 'lose':
      nodes.lose(pod, 'c');
      break;
    case 'pause':
      nodes.pause('n1');
      break;
    case 'resume':
      nodes.resume('n1');
      break;
    case 'mute':
    case 'unmute':
      nodes.mute('n1', step.do === 'mute');
      break;
    case 'restart':
      nodes.restartKubelet('n1');
      break;
    case 'reboot':
      nodes.reboot('n1');
      break;
    case 'unready':
    case 'as-it-is':
      nodes.setReady(pod, 'c', step.do === 'unready' ? false : undefined);
  }
};

const heal = async (world: SmallCluster): Promise<void> => {
  const { nodes } = world.cluster;
  nodes.resume('n1');
  nodes.mute('n1', false);
  nodes.setReady(await world.pod(), 'c', undefined);
  await world.setImage('engine:v1');
};

describe('whatever happens to a Pod and its node', () => {
  it('once all is well again, the Pod is Ready on its image, the status is true, and nothing is left to do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(arbitraryStep, fc.integer({ min: 0, max: 6_000 })), { maxLength: 15 }),
        async (steps) => {
          const world = await smallCluster({ images, podEvents: false });
          const container = aContainer({ readinessProbe: probe, livenessProbe: probe });
          await world.create(resources.pods, aPod({ containers: [container], terminationGracePeriodSeconds: 5 }));
          for (const [step, waitMs] of steps) {
            await world.machine.advance(waitMs);
            await perform(world, step);
          }
          await heal(world);
          await world.until(isReady);
          await world.machine.advance(30_000);
          const pod = await world.pod();
          expect(isReady(pod)).toBe(true);
          expect(world.cluster.nodes.truth(pod, 'c')).toMatchObject({
            image: 'engine:v1',
            running: true,
            containerID: statusOf(pod).containerID,
          });
          expect(pod.status?.observedGeneration).toBe(pod.metadata.generation);
          expect(world.machine.pending()).toBe(0);
          await world.wait(world.client.delete(resources.pods, { namespace: 'default', name: 'p' }));
          await world.untilGone();
          await world.machine.advance(5_000);
          expect(world.machine.pending()).toBe(0);
          await world.cluster.stop();
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  }, 60_000);
});
