import { readFileSync } from 'node:fs';

/** What one watch event shows of the Pod and its one container. */
export interface Row {
  /** `metadata.generation` and `status.observedGeneration`. */
  readonly generations: string;
  readonly phase: string;
  readonly specTag: string;
  readonly imageTag: string;
  /** Identity only: `#1` is the first that was seen, and so on. */
  readonly imageID: string;
  readonly containerID: string;
  readonly state: string;
  readonly lastState: string;
  readonly readyStarted: string;
  readonly restarts: string;
  readonly podReady: string;
}

export interface Recording {
  readonly title: string;
  readonly rows: readonly { readonly atSeconds: number; readonly row: Row }[];
  readonly patches: readonly { readonly atSeconds: number; readonly tag: string }[];
}

export const readRecording = (number: number): Recording => {
  const text = readFileSync(new URL(`../fixtures/kubelet-traces/trace-${number}.md`, import.meta.url), 'utf8');
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, time = '']) => /^[0-9.]+$/.test(time));
  const imageID = byFirstSight();
  const containerID = byFirstSight();
  const rows: { atSeconds: number; row: Row }[] = [];
  const patches: { atSeconds: number; tag: string }[] = [];
  for (const [, time = '', generations = '', phase = '', ...rest] of cells) {
    const atSeconds = Number(time);
    const patch = /^patch image -> (.+)$/.exec(generations);
    if (patch?.[1] !== undefined) patches.push({ atSeconds, tag: patch[1] });
    else {
      const [specTag = '', imageTag = '', image = '', container = '', state = '', lastState = ''] = rest;
      const [readyStarted = '', restarts = '', podReady = ''] = rest.slice(6);
      const identity = { imageID: imageID(image), containerID: containerID(container) };
      const outside = { generations, phase, specTag, imageTag, ...identity };
      rows.push({ atSeconds, row: { ...outside, state, lastState, readyStarted, restarts, podReady } });
    }
  }
  return { title: text.split('\n')[0]?.slice(2) ?? '', rows, patches };
};

/** Names values by the order in which they are first seen. An empty one stays empty. */
export const byFirstSight = (): ((value: string) => string) => {
  const seen: string[] = [];
  return (value) => {
    if (value === '') return '';
    if (!seen.includes(value)) seen.push(value);
    return `#${seen.indexOf(value) + 1}`;
  };
};
