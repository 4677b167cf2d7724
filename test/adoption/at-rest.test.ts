import { describe, expect, it } from 'vitest';
import { decodeUnits, roleId } from '../../src/api/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import { recordedByKthena } from '../support/recorded.ts';
import { expectUntouched, takenOver, writes } from './taken-over.ts';

describe('a cluster that kthena ran', () => {
  it.each(['fresh', 'partitioned', 'role-updated', 'sparse-ordinals', 'stuck-mid-rollout', 'gang', 'lws'] as const)(
    '%s: changes hands without a Pod being touched, and then nothing is written',
    async (state) => {
      const it = await takenOver(state);
      await expectUntouched(it);
      const { world } = it;
      const units = decodeUnits(world.status().units).map(
        ({ group, role, instance }) => `${group}-${roleId(role, instance)}`,
      );
      const { name } = world.live().metadata;
      const instances = new Set(recordedByKthena(state).pods.map((pod) => nameOf(pod).slice(`${name}-`.length, -2)));
      expect(new Set(units)).toEqual(instances);
      const revisions = world.seen.revisions
        .list()
        .map((one) => one.metadata.labels?.['modelserving.volcano.sh/revision']);
      const { currentRevision, updateRevision } = world.status();
      expect(new Set(revisions)).toEqual(new Set([currentRevision, updateRevision]));
    },
  );

  it('keeps its records byte by byte; what they do not say is written beside them', async () => {
    const { world, mark } = await takenOver('fresh');
    expect(writes(world, mark).toSorted()).toEqual([
      'patch controllerrevisions fresh-68985b448c',
      'patch modelservings/status fresh',
    ]);
    const [before] = recordedByKthena('fresh').revisions;
    const [after] = world.seen.revisions.list();
    expect(JSON.stringify(after?.data)).toBe(JSON.stringify(before?.data));
    expect(JSON.parse(after?.metadata.annotations?.['modelserving.volcano.sh/scheduling-in-force'] ?? '')).toEqual({
      proved: { plugins: [], schedulerName: 'default-scheduler' },
    });
  });

  it('role-updated: the spec is what the status calls it, so that is written down under this name', async () => {
    const { world, mark } = await takenOver('role-updated');
    const prefill = world.pods().filter((pod) => pod.metadata.labels?.['modelserving.volcano.sh/role'] === 'prefill');
    expect(writes(world, mark).toSorted()).toEqual([
      'create controllerrevisions rolemix-78fd68d998',
      'patch modelservings/status rolemix',
      ...prefill.map((pod) => `patch pods ${nameOf(pod)}`),
    ]);
    const labels = world.pods().map(({ metadata }) => metadata.labels);
    expect(new Set(labels.map((it) => it?.['modelserving.volcano.sh/revision']))).toEqual(new Set(['78fd68d998']));
    // Hashes tell which Pods share a template. That has not changed, so kthena could take them back.
    expect(new Set(labels.map((it) => it?.['modelserving.volcano.sh/role-template-hash']))).toEqual(
      new Set(['5d759cf477', '69c4d5c67']),
    );
  });
});
