import { nameOf, type Pod, type Service } from '../../objects/index.ts';
import { calm, type Finding, type Invariant, preconditions, writeInvariants } from '../invariants/index.ts';
import { buildServing, servingName } from '../plan/build-serving.ts';
import { simulatedImages } from '../plan/images.ts';
import type { Act, Plan } from '../plan/plan.ts';
import type { Logic } from '../running-operator.ts';
import { seedOf } from '../seeded-random.ts';
import { createWorld, operatorUser, type World } from '../world.ts';
import { createDriver, type Driver, type Play } from './driver.ts';
import { modelServings, type People, performEdit } from './edits.ts';
import { endStateOf } from './end-state.ts';
import { endAsItIs, endWell } from './endings.ts';
import { performNetworkFault, performNodeFault, performProcessFault, type Stage } from './faults.ts';
import { createJudge, type Judge } from './judge.ts';
import { lacks } from './preconditions.ts';
import { stalenessOf } from './staleness.ts';
import { Violation } from './violation.ts';

export interface RunOptions {
  /** What decides. Default: the rollout, as it ships. */
  readonly logic?: Logic;
  /** Rules for every write. Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Told about every act when it happens. */
  readonly onAct?: (act: Act) => void;
}

export interface RunResult {
  readonly plan: Plan;
  readonly violation: Violation | undefined;
  /** Equal for equal runs: of every step of the machine and every committed write. */
  readonly hash: number;
  readonly writes: number;
  readonly ownWrites: number;
  readonly checks: number;
  readonly virtualMs: number;
  /** From the end of all trouble until everything was as the spec asks. */
  readonly convergedMs: number | undefined;
  /** What is there at the end, without what differs between equal ends. */
  readonly endState: string;
}

/** Runs a plan from its beginning to rest, and judges every write and the state at the end. Never throws. */
export const runPlan = async (plan: Plan, options: RunOptions = {}): Promise<RunResult> => {
  const world = await createWorld({
    seed: plan.seed,
    ties: 'seeded',
    images: simulatedImages,
    ...(options.logic === undefined ? {} : { logic: options.logic }),
  });
  const { machine, cluster } = world;
  const judge = createJudge(cluster.ledger, options.invariants ?? writeInvariants, {
    cluster,
    operatorUser,
    people: ['user', 'admin'],
    name: servingName,
    staleMs: stalenessOf(plan),
    now: machine.clock.monotonic,
  });
  const driver = createDriver(world, judge);
  let convergedMs: number | undefined;
  let violation: Violation | undefined;
  try {
    convergedMs = await live(plan, { world, judge, driver, onAct: options.onAct });
  } catch (error) {
    violation = error instanceof Violation ? error : thrown(error, machine.clock.monotonic());
  }
  return {
    plan,
    violation,
    hash: hashOf(world),
    writes: cluster.ledger.length,
    ownWrites: world.ledger.writes({ by: operatorUser }).length,
    checks: judge.checks(),
    virtualMs: machine.clock.monotonic(),
    convergedMs,
    endState: endStateOf(judge.scene),
  };
};

const thrown = (error: unknown, atMs: number): Violation =>
  new Violation({
    id: 'no error',
    rule: 'Nothing throws.',
    finding: error instanceof Error ? (error.stack ?? error.message) : String(error),
    atMs,
    slice: [],
  });

const hashOf = ({ machine, cluster }: World): number => {
  const writes = cluster.ledger.map((it) => `${it.resourceVersion} ${it.atMs} ${it.userName} ${it.verb} ${it.name}`);
  return (machine.fingerprint() ^ seedOf(writes.join('\n'))) >>> 0;
};

const live = async (plan: Plan, play: Play): Promise<number | undefined> => {
  const { world, driver } = play;
  const removeWatch = watchRequests(play);
  const healing: (() => void)[] = [];
  const stage = createStage(play, healing);
  const people = peopleOf(plan, play);
  await driver.settle(world.client.create(modelServings, buildServing(plan.serving)));
  const began = world.machine.clock.monotonic();
  for (const { at, act } of plan.steps) {
    const wait = began + at - world.machine.clock.monotonic();
    if (wait > 0) await driver.advance(wait);
    play.onAct?.(act);
    await perform(act, { stage, people, driver });
  }
  const rest = began + plan.horizonMs - world.machine.clock.monotonic();
  if (rest > 0) await driver.advance(rest);
  for (const heal of healing.toReversed()) heal();
  stage.downFor(0);
  const converged = plan.ending === 'mended' ? await endWell(plan, play) : await endAsItIs(play);
  removeWatch();
  return converged;
};

/** No world of a plan is so large that an operator in its right mind needs more. */
const requestsInTenMinutes = 3_000;

/** A rule that matches nothing, to see what is sent. What is found is told between two steps, not to the sender. */
const watchRequests = ({ world, judge, driver }: Play): (() => void) => {
  const { clock } = world.machine;
  let finding: Finding;
  let requests = 0;
  let period = 0;
  driver.onStep(() => {
    const now = Math.floor(clock.monotonic() / 600_000);
    if (now !== period) requests = 0;
    period = now;
    if (requests > requestsInTenMinutes) judge.fail({ ...calm, finding: `more than ${requestsInTenMinutes} requests` });
    if (finding !== undefined) judge.fail({ ...preconditions, finding });
  });
  return world.faults.add({
    matches: (request) => {
      finding ??= lacks(request);
      requests += 1;
      return false;
    },
    disturbance: { kind: 'hang' },
  });
};

/** What happens to the operator and the network. It comes back when it dies, after as long as was said last. */
const createStage = ({ world, driver, judge }: Play, healing: (() => void)[]): Stage => {
  let downMs = 0;
  let isReviving = false;
  let hasHealed = false;
  healing.push(() => {
    hasHealed = true;
  });
  driver.onStep(() => {
    if (isReviving || world.operator().process.isAlive()) return;
    isReviving = true;
    world.machine.timers.after(downMs, () => {
      isReviving = false;
      world.startOperator();
    });
  });
  return {
    world,
    pods: () => podsOf(judge),
    later: (ms, run) => {
      world.machine.timers.after(ms, () => {
        if (!hasHealed) run();
      });
    },
    onHeal: (run) => {
      healing.push(run);
    },
    downFor: (ms) => {
      downMs = ms;
    },
  };
};

const byName = (a: Pod | Service, b: Pod | Service): number => (nameOf(a) < nameOf(b) ? -1 : 1);
const podsOf = ({ scene }: Judge): readonly Pod[] =>
  scene
    .ownPods()
    .map(({ pod }) => pod)
    .sort(byName);

const peopleOf = ({ serving }: Plan, { world, judge }: Play): People => ({
  client: world.client,
  serving,
  pods: () => podsOf(judge),
  services: () => [...judge.scene.services.values()].sort(byName),
  evict: (pod) => world.cluster.nodes.evict(pod, 'the node was low on memory'),
});

const perform = async (
  act: Act,
  { stage, people, driver }: { readonly stage: Stage; readonly people: People; readonly driver: Driver },
): Promise<void> => {
  switch (act.kind) {
    case 'refuse':
    case 'lose-request':
    case 'lose-reply':
    case 'hang':
    case 'slow-request':
    case 'close-watches':
    case 'lag-watches':
    case 'stall-watches':
    case 'compact':
      return performNetworkFault(stage, act);
    case 'crash':
    case 'kill':
    case 'freeze':
    case 'second-operator':
    case 'clock-jump':
      return performProcessFault(stage, act);
    case 'kill-container':
    case 'lose-container':
    case 'unready':
    case 'pause-kubelet':
    case 'mute-kubelet':
    case 'restart-kubelet':
    case 'reboot':
      return performNodeFault(stage, act);
    default:
      return driver.settle(performEdit(people, act));
  }
};
