import type { ModelServing } from '../api/index.ts';
import type { WorkQueue } from '../kube/index.ts';
import { uidOf } from '../objects/index.ts';
import type { Clock } from '../platform/index.ts';
import type { DecideInput, Decision } from '../rollout/index.ts';
import { type CacheSet, childrenOf } from './caches.ts';
import { settleDoubts } from './doubts.ts';
import { type ExecuteContext, execute } from './execute.ts';
import type { OwnerMemory } from './memory.ts';
import type { Pace } from './pace.ts';

export type Decide = (input: DecideInput) => Decision;

export interface ReconcileContext extends ExecuteContext {
  readonly cacheSet: CacheSet;
  readonly clock: Clock;
  readonly queue: WorkQueue;
  readonly pace: Pace;
  readonly decide: Decide;
  /** Called after every decision, before anything of it is written. */
  readonly decided: (key: string, input: DecideInput, decision: Decision) => void;
  /** The ModelServing of this key is gone. */
  readonly vanished: (key: string) => void;
}

/**
 * One round for one ModelServing: settle doubts, gather, decide, execute. Rejects where a read fails (the queue then
 * repeats the round with back-off) or where the decision throws, which is a bug that delays this key alone.
 */
export const reconcile = async (context: ReconcileContext, key: string): Promise<void> => {
  const known = context.cacheSet.modelservings.get(key);
  if (known === undefined) return context.vanished(key);
  const { client, cacheSet: caches, memory } = context;
  await settleDoubts({ client, caches, owner: memory.owner(uidOf(known)), ownerUid: uidOf(known) });
  // It may have changed by what was read, or be gone.
  const modelServing = caches.modelservings.get(key);
  if (modelServing === undefined) return context.vanished(key);
  await decideAndExecute(context, key, modelServing, memory.owner(uidOf(modelServing)));
};

const decideAndExecute = async (
  context: ReconcileContext,
  key: string,
  modelServing: ModelServing,
  owner: OwnerMemory,
): Promise<void> => {
  const { clock, queue } = context;
  const input: DecideInput = {
    modelServing,
    children: childrenOf(context.cacheSet, modelServing),
    time: { wall: clock.wall(), monotonic: clock.monotonic() },
    memory: owner.view(),
  };
  const decision = context.decide(input);
  owner.phases = decision.phases;
  owner.waits = decision.waits;
  context.decided(key, input, decision);
  context.pace.decided(key, input.children.pods.length);

  const execution = await execute(context, { modelServing, owner }, decision);
  for (const delayMs of [decision.wakeAfterMs, execution.wakeAfterMs]) {
    if (delayMs !== undefined) queue.addAfter(key, delayMs);
  }
  switch (execution.again) {
    case 'with-back-off':
      queue.addRateLimited(key);
      return;
    case 'at-once':
      queue.forget(key);
      context.pace.add(key);
      return;
    case 'not-needed':
      queue.forget(key);
      return;
  }
};
