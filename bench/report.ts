import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LedgerEntry } from '../src/cluster/index.ts';

export interface Summary {
  readonly min: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  /** `median 12.3 ms, p90 15.0 ms, min 11.9 ms` */
  readonly text: string;
}

/** Of times in milliseconds; at least one. */
export const summary = (times: readonly number[]): Summary => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const [min, median, p90, p99] = [at(0), at(0.5), at(0.9), at(0.99)];
  const text = `median ${median.toFixed(1)} ms, p90 ${p90.toFixed(1)} ms, min ${min.toFixed(1)} ms`;
  return { min, median, p90, p99, text };
};

/** `Node v20.20.2, 2 cores` */
export const thisMachine = (): string => `Node ${process.version}, ${cpus().length} cores`;

export interface Sample {
  readonly wallMs: number;
  /** Of the main thread, where the system tells (Linux); else as much as the wall clock says. */
  readonly cpuMs: number;
}

export const sampleOf = (work: () => unknown): Sample => {
  const [wall, cpu] = [performance.now(), mainThread()?.ranMs];
  work();
  const cpuEnd = mainThread()?.ranMs;
  const wallMs = performance.now() - wall;
  return { wallMs, cpuMs: cpu === undefined || cpuEnd === undefined ? wallMs : cpuEnd - cpu };
};

/** Milliseconds of the main thread since its start; undefined where the system does not tell (it is not Linux). */
export const mainThread = (): { readonly ranMs: number; readonly waitedForCpuMs: number } | undefined => {
  try {
    const [ran, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return { ranMs: (ran ?? 0) / 1e6, waitedForCpuMs: (waited ?? 0) / 1e6 };
  } catch {
    return undefined;
  }
};

setFlagsFromString('--expose-gc');

/** Collects all garbage now. */
export const collect: () => void = runInNewContext('gc');

/** `12 MB` */
export const mega = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** How many writes of each kind (`patch modelservings/status`), the most frequent first. */
export const countByKind = (writes: readonly LedgerEntry[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const { verb, resource, subresource } of writes) {
    const kind = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
};
