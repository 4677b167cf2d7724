import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/api/index.ts';
import type { ContainerState, Pod } from '../../src/objects/index.ts';
import { type PodProgress, podProgress, settleMs } from '../../src/rollout/inplace/completion.ts';
import { type Marker, readMarker } from '../../src/rollout/inplace/marker.ts';
import { podPatch } from '../../src/rollout/inplace/pod-patch.ts';
import { seePod } from '../../src/rollout/inplace/sightings.ts';
import { viewPod } from '../../src/rollout/observe/pod-view.ts';
import type { Memory, PodSighting } from '../../src/rollout/types.ts';
import { aPod } from '../world/pod-builder.ts';
import { type Row, readRecording } from './recording.ts';

const image = (tag: string): string => `registry.local/ms/engine:${tag}`;

/** The content each tag stands for, by the first imageID that was recorded for it. */
const contentOf = (rows: readonly Row[], tag: string): string | undefined =>
  rows.find(({ imageTag }) => imageTag === tag.replace('-alias', ''))?.imageID;

const stateOf = (text: string): ContainerState => {
  const [, kind = '', reason = '', exit = '0'] = /^(\w+)(?:\((\w+)(?:,exit (\d+))?\))?$/.exec(text) ?? [];
  if (kind === 'running') return { running: { startedAt: '2026-01-01T00:00:00Z' } };
  return kind === 'waiting' ? { waiting: { reason } } : { terminated: { exitCode: Number(exit), reason } };
};

/** The Pod as the API server showed it in one row, with the marker as annotation. */
const podOf = (row: Row, annotations: Readonly<Record<string, string>>): Pod => {
  const [generation = 1, observedGeneration = 1] = row.generations.split('/').map(Number);
  const [ready, started] = row.readyStarted.split('/').map((text) => text === 'True');
  const base = aPod({ graceSeconds: 3, image: image(row.specTag) }).build();
  return {
    ...base,
    metadata: { ...base.metadata, generation, annotations: { ...base.metadata.annotations, ...annotations } },
    status: {
      phase: row.phase as NonNullable<Pod['status']>['phase'],
      observedGeneration,
      conditions: [{ type: 'Ready', status: row.podReady }],
      containerStatuses: [
        {
          name: 'c',
          image: image(row.imageTag),
          imageID: row.imageID,
          containerID: row.containerID,
          state: stateOf(row.state),
          ready: ready === true,
          started: started === true,
          restartCount: Number(row.restarts),
        },
      ],
    },
  };
};

const roleOf = (tag: string): Role => ({
  name: 'r',
  workerReplicas: 0,
  entryTemplate: { spec: { containers: [{ name: 'c', image: image(tag) }] } },
});

interface Verdict {
  readonly row: Row;
  readonly progress: PodProgress;
}

/** Plays a recording to the completion rule as the operator would have seen it, patches included. */
const judge = (
  number: number,
): { readonly verdicts: readonly Verdict[]; readonly atTheEnd: PodProgress | undefined } => {
  const { rows, patches } = readRecording(number);
  const events = [...rows.map((it) => ({ ...it, order: 1 })), ...patches.map((it) => ({ ...it, order: 0 }))].sort(
    (a, b) => a.atSeconds - b.atSeconds || a.order - b.order,
  );
  let sighting: PodSighting | undefined;
  let latest: { pod: Pod; row: Row } | undefined;
  let marker: Marker | undefined;
  let specTag = 'v1';
  const verdicts: Verdict[] = [];
  const evaluate = (pod: Pod, open: Marker, now: number, read = false): PodProgress => {
    const memory: Memory = {
      sightings: new Map(sighting === undefined ? [] : [[pod.metadata.uid ?? '', sighting]]),
      reads: new Map(
        read ? [[pod.metadata.uid ?? '', { resourceVersion: pod.metadata.resourceVersion, at: now }]] : [],
      ),
      refusals: new Map(),
      answers: new Map(),
      phases: undefined,
      eventsSent: new Set(),
      statusPruned: false,
    };
    const time = { wall: Date.parse('2026-01-01T00:00:00Z') + now, monotonic: now };
    return podProgress({ pod, marker: open, memory, time, deadlineMs: 1_800_000 });
  };
  for (const event of events) {
    const now = event.atSeconds * 1000;
    if ('tag' in event) {
      if (latest === undefined) throw new Error('a patch before the first status');
      const patched = podPatch({
        pod: viewPod(latest.pod, { group: 0, role: 'r', instance: 0, index: 0 }, 'uid-ms'),
        open: marker,
        source: roleOf(specTag),
        target: { revision: event.tag, roleTemplateHash: undefined, role: roleOf(event.tag) },
        attempt: { ownerUID: 'uid-ms', unit: 'ms-0', startedAt: new Date(now).toISOString(), attempt: 1, now },
        known: marker === undefined ? 'images' : 'uncertain',
      });
      marker = patched.marker;
      specTag = event.tag;
    } else {
      const annotations =
        marker === undefined ? {} : { 'modelserving.volcano.sh/inplace-update-state': JSON.stringify(marker) };
      const pod = podOf(event.row, annotations);
      sighting = seePod(sighting, pod, now);
      latest = { pod, row: event.row };
      if (marker !== undefined) verdicts.push({ row: event.row, progress: evaluate(pod, marker, now) });
    }
  }
  if (latest === undefined || marker === undefined) return { verdicts, atTheEnd: undefined };
  const later = (events.at(-1)?.atSeconds ?? 0) * 1000 + settleMs(latest.pod, marker, 1_800_000);
  return { verdicts, atTheEnd: evaluate(latest.pod, marker, later, true) };
};

describe('the completion rule, held against what a real kubelet reported', () => {
  for (let number = 1; number <= 9; number += 1) {
    const { title, rows } = readRecording(number);

    it(`trace ${number} (${title}): never complete on a row where another image runs, or none`, () => {
      const all = rows.map(({ row }) => row);
      const { verdicts } = judge(number);
      expect(verdicts.length).toBeGreaterThan(1);
      for (const { row, progress } of verdicts) {
        const runsTarget =
          row.state === 'running' && row.podReady === 'True' && row.imageID === contentOf(all, row.specTag);
        if (!runsTarget) expect(progress.complete, JSON.stringify(row)).toBe(false);
      }
    });
  }

  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`trace ${number}: complete at its end`, () => {
      expect(judge(number).atTheEnd?.complete).toBe(true);
    });
  }

  it('trace 9: not complete at its end, where the new image has crashed', () => {
    expect(judge(9).atTheEnd?.complete).toBe(false);
  });

  it('trace 1 is complete at once: the change of container was seen', () => {
    const complete = judge(1).verdicts.filter(({ progress }) => progress.complete);
    expect(complete).toHaveLength(1);
    expect([...(complete[0]?.progress.containers.values() ?? [])]).toEqual([{ state: 'complete', evidence: 'proved' }]);
  });

  it('a marker written for the Pod is read back as valid', () => {
    const pod = aPod({ image: image('v1') })
      .ready()
      .build();
    const { marker } = podPatch({
      pod: viewPod(pod, { group: 0, role: 'r', instance: 0, index: 0 }, 'uid-ms'),
      open: undefined,
      source: roleOf('v1'),
      target: { revision: 'v2', roleTemplateHash: 'h', role: roleOf('v2') },
      attempt: { ownerUID: 'uid-ms', unit: 'ms-0', startedAt: '2026-01-01T00:00:00.000Z', attempt: 1, now: 0 },
      known: 'images',
    });
    const key = 'modelserving.volcano.sh/inplace-update-state';
    const marked = { ...pod, metadata: { ...pod.metadata, annotations: { [key]: JSON.stringify(marker) } } };
    expect(readMarker(marked, 'uid-ms')).toEqual({ state: 'valid', marker });
    expect(readMarker(marked, 'uid-other')).toMatchObject({ state: 'invalid' });
  });
});
