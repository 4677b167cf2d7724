import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revisionLabel, roleTemplateHashLabel } from '../../src/api/index.ts';
import { deepFreeze, nameOf, type Pod } from '../../src/objects/index.ts';
import { type DecideInput, decide } from '../../src/rollout/index.ts';
import { type Recorded, recordedByKthena } from '../support/recorded.ts';

/** How much of what tells a Pod's origin was lost, and what admission made of the Pod. */
interface Damage {
  readonly revision: 'kept' | 'unknown' | 'removed';
  readonly hash: 'kept' | 'removed' | 'of another build';
  readonly admission: 'nothing' | 'sidecar' | 'mirror' | 'label';
}

const damage: fc.Arbitrary<Damage> = fc.record({
  revision: fc.constantFrom('kept', 'unknown', 'removed'),
  hash: fc.constantFrom('kept', 'removed', 'of another build'),
  admission: fc.constantFrom('nothing', 'sidecar', 'mirror', 'label'),
});

const damaged = (pod: Pod, { revision, hash, admission }: Damage, ordinal: number): Pod => {
  const labels: Record<string, string> = { ...pod.metadata.labels };
  if (revision === 'removed') delete labels[revisionLabel];
  if (revision === 'unknown') labels[revisionLabel] = `gone${ordinal % 2}`;
  if (hash === 'removed') delete labels[roleTemplateHashLabel];
  if (hash === 'of another build') labels[roleTemplateHashLabel] = `4${labels[roleTemplateHashLabel]}`;
  if (admission === 'label') labels['mesh'] = 'on';
  const { containers } = pod.spec;
  const spec = {
    nothing: pod.spec,
    label: pod.spec,
    sidecar: { ...pod.spec, containers: [...containers, { name: 'proxy', image: 'mesh:v7' }] },
    mirror: { ...pod.spec, containers: containers.map((it) => ({ ...it, image: `local:5000/hub/${it.image}` })) },
  }[admission];
  return { ...pod, metadata: { ...pod.metadata, labels }, spec };
};

/** A state in which every Pod is what the spec asks for, and the status says so. */
const states = ['fresh', 'role-updated', 'sparse-ordinals', 'gang', 'lws'] as const;

const input = ({ modelServing, pods, services, revisions }: Recorded): DecideInput => ({
  modelServing,
  children: { pods, services, controllerRevisions: revisions },
  time: { wall: Date.parse('2026-12-02T00:00:00Z'), monotonic: 1_000_000 },
  memory: {
    sightings: new Map(),
    refusals: new Map(),
    answers: new Map(),
    reads: new Map(),
    phases: undefined,
    eventsSent: new Set(),
    statusPruned: false,
  },
});

/** Everything of a decision that a Pod would notice. */
const noticed = (recorded: Recorded): readonly string[] =>
  decide(deepFreeze(input(recorded)))
    .effects.flat()
    .filter(
      (effect) => effect.resource === 'pods' && !(effect.kind === 'patch' && !('spec' in (effect.body as object))),
    )
    .map(({ kind, key }) => `${kind} ${key}`);

describe('whatever labels and records were lost, and whatever admission added', () => {
  it.each(states)('%s: no Pod is touched while the status says that the spec is rolled out', (state) => {
    const recorded = recordedByKthena(state);
    const perPod = fc.array(damage, { minLength: recorded.pods.length, maxLength: recorded.pods.length });
    fc.assert(
      fc.property(perPod, fc.boolean(), (damages, hasRecords) => {
        const pods = recorded.pods.map((pod, index) => damaged(pod, damages[index] ?? nothing, index));
        expect(noticed({ ...recorded, pods, revisions: hasRecords ? recorded.revisions : [] })).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(states)('%s: nor where the status was lost, as long as the Pods are what the template makes', (state) => {
    const recorded = recordedByKthena(state);
    const plain = damage.map((it) => ({
      ...it,
      admission: it.admission === 'label' ? it.admission : ('nothing' as const),
    }));
    const perPod = fc.array(plain, { minLength: recorded.pods.length, maxLength: recorded.pods.length });
    const { status: _, ...modelServing } = recorded.modelServing;
    fc.assert(
      fc.property(perPod, (damages) => {
        const pods = recorded.pods.map((pod, index) => damaged(pod, damages[index] ?? nothing, index));
        expect(noticed({ ...recorded, modelServing, pods, revisions: [] })).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('but one that runs another image is outdated, however it is labelled', () => {
    const recorded = recordedByKthena('fresh');
    const { status: _, ...modelServing } = recorded.modelServing;
    const pods = recorded.pods.map((pod) =>
      nameOf(pod) === 'fresh-1-decode-0-0'
        ? {
            ...pod,
            spec: { ...pod.spec, containers: pod.spec.containers.map((it) => ({ ...it, image: 'engine:v0' })) },
          }
        : pod,
    );
    expect(noticed({ ...recorded, modelServing, pods, revisions: [] })).not.toEqual([]);
  });
});

const nothing: Damage = { revision: 'kept', hash: 'kept', admission: 'nothing' };
