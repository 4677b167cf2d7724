import { isApiError } from '../../kube/index.ts';
import { nameOf, type Pod, type Service } from '../../objects/index.ts';
import { type Finding, type Invariant, restInvariants, writeInvariants } from '../invariants/index.ts';
import { preconditions, quiet, reached, saysWhy } from '../invariants/run-rules.ts';
import { buildServing, servingName } from '../plan/build-serving.ts';
import { goodImages, simulatedImages } from '../plan/images.ts';
import type { Act, Plan } from '../plan/plan.ts';
import type { Logic } from '../running-operator.ts';
import { seedOf } from '../seeded-random.ts';
import { createWorld, operatorUser, type World } from '../world.ts';
import { missing } from './at-rest.ts';
import { applyAgain, mend, modelServings, type People, performEdit } from './edits.ts';
import { endStateOf } from './end-state.ts';
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

/** Everything must be as asked for within this time after the last fault; deadlines and restarts included. */
const convergenceMs = 90 * 60_000;
/** What the status remembers for a while (recreations that must not come too fast) is forgotten by then. */
const settledMs = 20 * 60_000;
const quietMs = 40 * 60_000;
const startMs = 60_000;

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

interface Driver {
  advance(ms: number): Promise<void>;
  /** Resolves to whether it came true within that time. */
  until(predicate: () => boolean, timeoutMs: number): Promise<boolean>;
  /** Runs until the promise settles; a refusal of the API server is a normal end. */
  settle(work: Promise<unknown>): Promise<void>;
  /** Called after every step of the machine. */
  onStep(run: () => void): void;
}

const createDriver = ({ machine }: World, judge: Judge): Driver => {
  const each: (() => void)[] = [];
  const until: Driver['until'] = async (predicate, timeoutMs) => {
    let isLate = false;
    const cancel = machine.timers.after(timeoutMs, () => {
      isLate = true;
    });
    let isTrue = false;
    await machine.runUntil(
      () => {
        judge.check();
        for (const run of each) run();
        isTrue = predicate();
        return isTrue || isLate;
      },
      { timeoutMs: timeoutMs + 1 },
    );
    cancel();
    return isTrue;
  };
  return {
    until,
    advance: async (ms) => {
      await until(() => false, ms);
    },
    settle: async (work) => {
      let isSettled = false;
      let failure: unknown;
      work.then(
        () => {
          isSettled = true;
        },
        (error: unknown) => {
          isSettled = true;
          failure = error;
        },
      );
      await until(() => isSettled, startMs);
      if (failure !== undefined && !isOvertaken(failure)) throw failure;
    },
    onStep: (run) => {
      each.push(run);
    },
  };
};

/** What a person meets who is not alone: the object is gone, or somebody was faster. */
const isOvertaken = (error: unknown): boolean =>
  isApiError(error, 'not-found') || isApiError(error, 'conflict') || isApiError(error, 'already-exists');

interface Play {
  readonly world: World;
  readonly judge: Judge;
  readonly driver: Driver;
  readonly onAct: ((act: Act) => void) | undefined;
}

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

/** A rule that matches nothing, to see what is sent. What is found is told between two steps, not to the sender. */
const watchRequests = ({ world, judge, driver }: Play): (() => void) => {
  let finding: Finding;
  driver.onStep(() => {
    if (finding !== undefined) judge.fail({ ...preconditions, finding });
  });
  return world.faults.add({
    matches: (request) => {
      finding ??= lacks(request);
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

/** The user asks for a good image; everything must get there, stay there, and a restart must change nothing. */
const endWell = async (plan: Plan, play: Play): Promise<number> => {
  const { world, judge, driver } = play;
  const { clock } = world.machine;
  const image = lastImage(plan);
  const began = clock.monotonic();
  await driver.settle(mend(world.client, image));
  let seen = -1;
  let last = missing(judge.scene);
  const isDone = (): boolean => {
    // What runs can change without a write, but never without one soon after.
    if (seen === world.cluster.ledger.length) return last === undefined;
    seen = world.cluster.ledger.length;
    last = missing(judge.scene);
    return last === undefined;
  };
  if (!(await driver.until(isDone, convergenceMs))) {
    const waits = [...world.operator().operator.waits().values()].flat().map(({ message }) => message);
    const finding = `${convergenceMs / 60_000} minutes after the last fault: ${missing(judge.scene)}; waits: ${waits.join('; ')}`;
    judge.fail({ ...reached, finding });
  }
  const convergedMs = clock.monotonic() - began;
  await driver.advance(settledMs);
  const lapse = missing(judge.scene);
  if (lapse !== undefined) judge.fail({ ...reached, finding: lapse });
  for (const { id, rule, check } of restInvariants) {
    const finding = check(judge.scene);
    if (finding !== undefined) judge.fail({ id, rule, finding });
  }
  await staysQuiet(play, 'left alone', async () => undefined);
  await staysQuiet(play, 'after a restart of the operator', async () => world.killOperator());
  await staysQuiet(play, 'after the same manifest was applied again', () => driver.settle(applyAgain(world.client)));
  return convergedMs;
};

/**
 * Any good image, also one that is there. A new one where people put another one in by hand: in a Pod that is on its revision
 * and that no update has touched, nobody can tell such an edit from what admission made.
 */
const lastImage = ({ seed, steps }: Plan): string => {
  const image = goodImages[seed % goodImages.length] ?? 'engine:v1';
  const isEdited = steps.some(({ act }) => act.kind === 'image-by-hand' && act.image !== image);
  return isEdited ? 'engine:last' : image;
};

const staysQuiet = async ({ world, judge, driver }: Play, when: string, act: () => Promise<void>): Promise<void> => {
  const mark = world.ledger.mark();
  await act();
  await driver.advance(quietMs);
  const own = world.ledger.since(mark).writes({ by: operatorUser });
  if (own.length === 0) return;
  const [first] = own;
  const finding = `${when}, the operator still sent ${own.length} writes: ${first?.verb} ${first?.resource} ${first?.name}`;
  judge.fail({ ...quiet, finding });
};

/** Nobody mends anything: where the spec is not reached, the status says why. */
const endAsItIs = async ({ world, judge, driver }: Play): Promise<undefined> => {
  await driver.advance(quietMs);
  const finding = missing(judge.scene);
  const { modelServing } = judge.scene;
  if (finding === undefined || modelServing === undefined) return undefined;
  const holds = modelServing.status?.conditions?.find(({ status }) => status === 'True');
  const waits = [...world.operator().operator.waits().values()].flat();
  if (waits.length > 0 || (holds?.message ?? '').length > 0) return undefined;
  judge.fail({ ...saysWhy, finding });
};
