import type { Cluster } from '../cluster/index.ts';
import type { Log } from '../kube/index.ts';
import { createOperator, type Decide, type Operator, type OperatorOptions, type SeePod } from '../operator/index.ts';
import type { Disturbances } from './disturbance.ts';
import { createLink, type Link, type WriteMoment } from './link.ts';
import type { VirtualPlatform, VirtualProcess } from './virtual-platform.ts';

/** What decides: the real rollout, or a stand-in where a test is about the operator around it. */
export interface Logic {
  readonly decide: Decide;
  readonly seePod: SeePod;
}

export interface CrashPlan {
  /** Die around this write, counted from 1 over the life of the process. */
  readonly write: number;
  readonly at: WriteMoment;
}

/** One operator process in the world. */
export interface RunningOperator {
  readonly operator: Operator;
  readonly process: VirtualProcess;
  readonly link: Link;
  /** Resolves when it takes decisions; never, if it dies before. */
  readonly running: Promise<void>;
  /** Writes sent so far. */
  writes(): number;
  /** Ends the process at this very line: its timers, its connections, everything it knows. */
  kill(): void;
  /** Kills it around its n-th write from now on. */
  killAround(plan: CrashPlan): void;
}

interface LaunchOptions {
  readonly machine: VirtualPlatform;
  readonly cluster: Cluster;
  readonly userName: string;
  /** Names the process; its random numbers come from it. */
  readonly processName: string;
  readonly logic: Logic;
  readonly log: Log;
  readonly disturbances: Disturbances;
  readonly latencyMs: number | undefined;
  readonly operatorOptions: OperatorOptions | undefined;
  readonly toleratesBugs: boolean | undefined;
}

/** Starts an operator on its own virtual process, behind a link that can be cut and disturbed. */
export const launchOperator = (options: LaunchOptions): RunningOperator => {
  const { machine, logic, log } = options;
  const process = machine.process(options.processName);
  let sent = 0;
  let plan: CrashPlan | undefined;
  const link = createLink({
    server: options.cluster.connect(options.userName),
    platform: machine,
    latencyMs: options.latencyMs,
    disturb: options.disturbances.take,
    onWrite: (moment, number) => {
      if (moment === 'before-send') sent = number;
      if (plan?.write === number && plan.at === moment) kill();
    },
  });
  const fail = (error: unknown): void => {
    machine.timers.after(0, () => {
      throw error;
    });
  };
  const decide: Decide = (input) => {
    try {
      return logic.decide(input);
    } catch (error) {
      if (options.toleratesBugs !== true) fail(error);
      throw error;
    }
  };
  const operator = createOperator({
    transport: link,
    platform: process.platform,
    log,
    decide,
    seePod: logic.seePod,
    options: { freeze: true, ...options.operatorOptions },
  });
  const kill = (): void => {
    process.kill();
    link.cut();
    operator.kill();
  };
  const running = operator.start();
  // What goes wrong in there fails the run, as a task that throws does.
  running.catch(fail);
  return {
    operator,
    process,
    link,
    running,
    writes: () => sent,
    kill,
    killAround: ({ write, at }) => {
      plan = { write: sent + write, at };
    },
  };
};
