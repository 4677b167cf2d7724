import { type ModelServing, modelServingResource, nameLabel } from '../../api/index.ts';
import { createWatchCache, type KubeClient, type Resource, resources } from '../../kube/index.ts';
import { keyOf, nameOf, type Pod, refOf } from '../../objects/index.ts';
import type { Cancel, Platform } from '../../platform/index.ts';
import { groupRows } from './rows.ts';
import type { Screen } from './screen.ts';
import { textTable } from './text-table.ts';

export const modelServings: Resource<ModelServing> = modelServingResource;

/** What one ModelServing and its Pods look like right now, and when that changes. */
export interface LiveView {
  modelServing(): ModelServing | undefined;
  /** By name. */
  pods(): readonly Pod[];
  /**
   * Resolves when the predicate holds. Rejects with a `WaitTimeoutError` after `timeoutMs` milliseconds. Stays pending
   * for ever where the view is stopped first.
   */
  until(predicate: () => boolean, timeoutMs: number): Promise<void>;
  /** Ends the watches and whatever waits; nothing of it keeps the process alive. */
  stop(): void;
}

export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

export interface LiveViewOptions {
  readonly client: KubeClient;
  readonly platform: Platform;
  readonly screen: Screen;
  readonly namespace: string;
  readonly name: string;
}

/** A change is shown at most this late, so that a burst is one drawing. */
const redrawMs = 80;

/** Watches a ModelServing through the API, as kubectl would, and keeps the screen's table up to date. */
export const openLiveView = async (options: LiveViewOptions): Promise<LiveView> => {
  const { client, platform, screen, namespace, name } = options;
  const servings = createWatchCache({ client, platform, resource: modelServings, namespace });
  const podCache = createWatchCache({
    client,
    platform,
    resource: resources.pods,
    namespace,
    labelSelector: `${nameLabel}=${name}`,
  });
  const modelServing = (): ModelServing | undefined => servings.get(keyOf({ namespace, name }));
  const pods = (): readonly Pod[] => [...podCache.list()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const waiting = new Map<() => void, Cancel>();
  let isDrawing = false;
  const draw = (): void => {
    const current = modelServing();
    if (current !== undefined) screen.show(renderTable(current, { pods: pods(), asLines: !screen.isTerminal }));
  };
  const changed = (): void => {
    for (const check of waiting.keys()) check();
    if (isDrawing) return;
    isDrawing = true;
    platform.timers.after(redrawMs, () => {
      isDrawing = false;
      draw();
    });
  };
  servings.onChange(changed);
  podCache.onChange(changed);
  servings.start();
  podCache.start();
  await Promise.all([servings.whenSynced(), podCache.whenSynced()]);
  changed();
  return {
    modelServing,
    pods,
    until: (predicate, timeoutMs) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void): void => {
          waiting.delete(check);
          cancel();
          act();
        };
        const check = (): void => {
          if (!predicate()) return;
          draw();
          finish(resolve);
        };
        const cancel = platform.timers.after(timeoutMs, () => {
          finish(() => reject(new WaitTimeoutError(explainWait(modelServing()))));
        });
        waiting.set(check, cancel);
        check();
      }),
    stop: () => {
      for (const cancel of waiting.values()) cancel();
      waiting.clear();
      servings.stop();
      podCache.stop();
    },
  };
};

interface TableInput {
  readonly pods: readonly Pod[];
  /** One self-contained sentence a group, for a log; a table for a terminal. */
  readonly asLines: boolean;
}

const renderTable = (modelServing: ModelServing, { pods, asLines }: TableInput): readonly string[] => {
  const rows = groupRows(modelServing, pods);
  if (asLines) {
    return rows.map(
      ({ group, revision, phase, ready, restarts, image }) =>
        `  ${group}: ${phase}, ${ready} Ready, ${restarts} restarts, ${image}, revision ${revision}`,
    );
  }
  const cells = rows.map((row) => [`  ${row.group}`, row.revision, row.phase, row.ready, row.restarts, row.image]);
  return textTable([['  GROUP', 'REVISION', 'PHASE', 'READY', 'RESTARTS', 'IMAGE'], ...cells]);
};

/** Why a ModelServing is not there yet, in its own words. */
export const explainWait = (modelServing: ModelServing | undefined): string => {
  const condition = modelServing?.status?.conditions?.find(
    ({ status, type }) => status === 'True' && type !== 'Available',
  );
  if (modelServing === undefined) return 'the ModelServing does not exist';
  const key = keyOf(refOf(modelServing));
  return condition === undefined
    ? `ModelServing ${key} has no status yet: is an operator running?`
    : `ModelServing ${key} is ${condition.type} (${condition.reason}): ${condition.message}`;
};
