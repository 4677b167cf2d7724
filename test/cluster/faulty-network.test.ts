import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/cluster/index.ts';
import { resources } from '../../src/kube/index.ts';
import { type OwnerReference, uidOf } from '../../src/objects/index.ts';
import { seededRandom } from '../../src/simulation/seeded-random.ts';
import { aContainer, aPod, isReady, probe, restartsOf, smallCluster, statusOf } from './small-cluster.ts';

/** One kind of trouble for a share of all requests of the cluster's own components. */
const arbitraryFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom(409, 429, 500, 503, 504).map((status): Fault => ({ fault: 'answer', status })),
  fc.constantFrom<Fault>({ fault: 'lose-request' }, { fault: 'lose-reply' }),
  fc.integer({ min: 1, max: 5_000 }).map((ms): Fault => ({ fault: 'delay-reply', ms })),
  fc.integer({ min: 1, max: 5_000 }).map((ms): Fault => ({ fault: 'lag-watch', ms, coalesce: true })),
);

describe('whatever happens between the API server and the rest of the cluster', () => {
  it('Pods are bound, started, updated, deleted and collected once it is over', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryFault, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 10, max: 60 }),
        fc.nat(),
        async (faults, percent, seed) => {
          const world = await smallCluster({ nodes: [{ name: 'n1' }, { name: 'n2' }] });
          const random = seededRandom(seed);
          const stopFaults = world.cluster.faults.onRequest(({ userName }) =>
            userName.startsWith('system:') && random.uint32() % 100 < percent
              ? faults[random.uint32() % faults.length]
              : undefined,
          );
          const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner', namespace: 'default' } };
          const owner = await world.create(resources.configmaps, configMap);
          const reference: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: uidOf(owner) };
          for (const name of ['p', 'q', 'r']) {
            const pod = aPod({ containers: [aContainer({ readinessProbe: probe })] }, name);
            const metadata = { ...pod.metadata, ownerReferences: [reference] };
            await world.create(resources.pods, { ...pod, metadata });
          }
          await world.machine.advance(20_000);
          await world.setImage('engine:v2');
          await world.machine.advance(20_000);
          await world.wait(world.client.delete(resources.pods, { namespace: 'default', name: 'r' }));
          await world.machine.advance(20_000);
          stopFaults();
          world.cluster.faults.closeWatches();
          for (const name of ['p', 'q']) await world.until(isReady, name);
          await world.until((pod) => statusOf(pod).image.endsWith(':v2') && restartsOf(pod) === 1);
          await world.untilGone('r');
          await world.wait(world.client.delete(resources.configmaps, { namespace: 'default', name: 'owner' }));
          for (const name of ['p', 'q']) await world.untilGone(name);
          await world.machine.advance(60_000);
          expect(world.machine.pending()).toBe(0);
        },
      ),
      { numRuns: 40, seed: 1 },
    );
  }, 60_000);
});
