import type { ModelServing } from '../api/index.ts';
import { nameOf, type ObjectRef, refOf } from '../objects/index.ts';
import type { Decision, Effect, EventIntent } from '../rollout/index.ts';
import { raiseDoubt } from './doubts.ts';
import type { OwnerMemory } from './memory.ts';
import { type EffectContext, type Outcome, performEffect } from './perform-effect.ts';
import { slowStart } from './slow-start.ts';
import { writeStatus } from './write-status.ts';

/** A status without a milestone waits this long at most, so that a burst of changes is one write. */
const statusDelayMs = 200;

export interface ExecuteContext extends EffectContext {
  readonly monotonic: () => number;
  /** Effects of one stage in flight at once, at most. */
  readonly parallel: number;
  /** Sends an event about the ModelServing; resolves to whether the API server has it. Never rejects. */
  readonly sendEvent: (about: ModelServing, event: EventIntent) => Promise<boolean>;
  readonly reportStatus: (outcome: Outcome) => void;
  readonly report: (ended: {
    readonly effect: Effect;
    readonly outcome: Outcome | { readonly result: 'held-back' };
  }) => void;
}

/** What the round means for the queue. */
export interface Execution {
  /** Something was written or tried: look again, at once or, after a doubt, with back-off. */
  readonly again: 'not-needed' | 'at-once' | 'with-back-off';
  /** A status or a refused effect waits this long, milliseconds. */
  readonly wakeAfterMs: number | undefined;
}

/**
 * Makes a decision so, in this order: a status that carries a milestone (or that has waited long enough), events,
 * effects stage by stage. Whatever did not go as decided ends the round; the next decision is taken on what is then.
 */
export const execute = async (context: ExecuteContext, about: About, decision: Decision): Promise<Execution> => {
  const { owner } = about;
  const status = await writeStatusIfDue(context, about, decision);
  // After a conflict or a lost answer the rest was decided on an older object.
  if (status === 'doubtful' || status === 'later') return { again: 'with-back-off', wakeAfterMs: undefined };
  // What a milestone protects is not done without it.
  if (status === 'refused' && decision.milestone) {
    return { again: 'not-needed', wakeAfterMs: owner.backOffMs(statusKey) };
  }
  // Best effort, in batches: an API server that takes no events holds up what follows for three of them.
  await slowStart(
    decision.events.map((event) => () => sendEvent(context, about, event)),
    context.parallel,
  );
  const round = await runStages(context, owner, decision.effects);
  return {
    again: round.slower ? 'with-back-off' : round.sent ? 'at-once' : 'not-needed',
    wakeAfterMs: earliest(statusWaitMs(context, owner), round.heldBackMs),
  };
};

interface About {
  readonly modelServing: ModelServing;
  readonly owner: OwnerMemory;
}

/** Refusals of the status are remembered under this key, beside those of effects. */
const statusKey = 'status';

/** A status is written by the round that computed it, or not at all: what waits is the key, never a status. */
const writeStatusIfDue = async (
  context: ExecuteContext,
  { modelServing, owner }: About,
  { status, milestone }: Decision,
): Promise<'waits' | Outcome['result']> => {
  if (status === undefined) {
    owner.statusDueAt = undefined;
    return 'done';
  }
  const now = context.monotonic();
  const heldBackMs = owner.backOffMs(statusKey);
  owner.statusDueAt = heldBackMs > 0 ? now + heldBackMs : (owner.statusDueAt ?? now + statusDelayMs);
  if (heldBackMs > 0 && milestone) return 'refused';
  if (!milestone && now < owner.statusDueAt) return 'waits';
  const outcome = await writeStatus(context, modelServing, status);
  context.reportStatus(outcome);
  owner.statusDueAt = undefined;
  if (outcome.result === 'done') owner.accept(statusKey);
  if (outcome.result === 'doubtful') raiseDoubt(owner, { resource: 'modelservings', ref: refOf(modelServing) });
  if (outcome.result === 'refused') {
    owner.refuse(statusKey, outcome.message);
    owner.statusDueAt = context.monotonic() + owner.backOffMs(statusKey);
  }
  return outcome.result;
};

const statusWaitMs = (context: ExecuteContext, owner: OwnerMemory): number | undefined =>
  owner.statusDueAt === undefined ? undefined : Math.max(0, owner.statusDueAt - context.monotonic());

const sendEvent = async (
  context: ExecuteContext,
  { modelServing, owner }: About,
  event: EventIntent,
): Promise<boolean> => {
  const sent = await context.sendEvent(modelServing, event);
  if (sent) owner.eventSent(event.name);
  return sent;
};

interface Round {
  sent: boolean;
  /** The next round comes with back-off. */
  slower: boolean;
  /** Something failed that later stages may build on. */
  blocked: boolean;
  /** Until the first of the effects held back by an earlier refusal may be sent again. */
  heldBackMs: number | undefined;
}

const runStages = async (context: ExecuteContext, owner: OwnerMemory, stages: Decision['effects']): Promise<Round> => {
  const round: Round = { sent: false, slower: false, blocked: false, heldBackMs: undefined };
  for (const stage of stages) {
    const due = stage.filter((effect) => !isHeldBack(context, owner, effect, round));
    const ranAll = await slowStart(
      due.map((effect) => () => runEffect(context, owner, effect, round)),
      context.parallel,
    );
    // Whoever refuses everything is asked ever more slowly.
    round.slower ||= !ranAll;
    if (!ranAll || round.blocked) break;
  }
  return round;
};

/** What later stages build on is created; a Pod that cannot be patched or deleted holds up nobody else. */
const blocksLaterStages = (effect: Effect): boolean => effect.kind === 'create';

const isHeldBack = (context: ExecuteContext, owner: OwnerMemory, effect: Effect, round: Round): boolean => {
  const backOffMs = owner.backOffMs(effect.key);
  if (backOffMs === 0) return false;
  round.heldBackMs = earliest(round.heldBackMs, backOffMs);
  round.blocked ||= blocksLaterStages(effect);
  context.report({ effect, outcome: { result: 'held-back' } });
  return true;
};

const runEffect = async (
  context: ExecuteContext,
  owner: OwnerMemory,
  effect: Effect,
  round: Round,
): Promise<boolean> => {
  const outcome = await performEffect(context, effect);
  context.report({ effect, outcome });
  switch (outcome.result) {
    case 'done':
      owner.accept(effect.key);
      round.sent = true;
      return true;
    case 'refused':
      owner.refuse(effect.key, outcome.message);
      // The decision is taken anew at once: it may know a way round (a marker without the image), or say why it waits.
      round.sent = true;
      round.blocked ||= blocksLaterStages(effect);
      return false;
    case 'doubtful':
      raiseDoubt(owner, { resource: effect.resource, ref: targetOf(effect) });
      round.slower = true;
      round.blocked = true;
      return false;
    case 'later':
      round.slower = true;
      round.blocked = true;
      return false;
  }
};

const targetOf = (effect: Effect): ObjectRef =>
  effect.kind === 'create' ? { namespace: effect.object.metadata.namespace, name: nameOf(effect.object) } : effect.ref;

const earliest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b);
