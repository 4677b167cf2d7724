import { type Command, InvalidArgumentError } from 'commander';
import { nodeFiles, nodePlatform } from '../platform/index.ts';
import {
  basePlans,
  describeAct,
  forbidReality,
  type Plan,
  type RunResult,
  runCampaign,
  runCrashPoints,
  runPlan,
  shrinkPlan,
  type Tally,
  tellStory,
} from '../simulation/index.ts';
import { CliError } from './cli-error.ts';

interface SimulateOptions {
  readonly seeds?: number;
  readonly minutes?: number;
  readonly seed: number;
  readonly scenario?: string;
  readonly crashPoints?: boolean;
  readonly trace?: boolean;
}

/** `modelserving simulate`: the operator in worlds where everything goes wrong, in virtual time. */
export const addSimulateCommand = (program: Command): void => {
  program
    .command('simulate')
    .description('run the operator through random rollouts, edits and faults, and judge every write')
    .option('--seeds <count>', 'stop after so many runs (default: 100, or none with --minutes)', wholeNumber)
    .option('--minutes <minutes>', 'stop after so much real time', positive)
    .option('--seed <number>', 'the first seed; alone with --seeds 1 it replays a run', wholeNumber, 1)
    .option('--scenario <path>', 'run the plan in this JSON file instead of drawing plans')
    .option('--crash-points', 'kill the operator at every single write of the base plans, one run for each point')
    .option('--trace', 'print every edit and fault when it happens')
    .action(simulate);
};

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number is needed.');
  return value;
};

const positive = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed.');
  return value;
};

const reportEveryMs = 5_000;

const simulate = async (options: SimulateOptions): Promise<void> => {
  const { clock } = nodePlatform();
  const say = (line: string): void => console.log(line);
  const onAct = options.trace === true ? { onAct: (act: Plan['steps'][number]['act']) => say(describeAct(act)) } : {};
  const plan = options.scenario === undefined ? undefined : readPlan(await nodeFiles().read(options.scenario));
  const allowReality = forbidReality();
  try {
    if (plan !== undefined) {
      const result = await runPlan(plan, onAct);
      say(`${result.writes} writes, ${result.checks} checks, trace ${result.hash.toString(16)}`);
      return await judge(result, say);
    }
    if (options.crashPoints === true) return await killEverywhere(say);
    const { minutes } = options;
    let reportedAt = 0;
    const { tally, failed } = await runCampaign({
      ...onAct,
      firstSeed: options.seed,
      seeds: options.seeds ?? (minutes === undefined ? 100 : undefined),
      forMs: minutes === undefined ? undefined : minutes * 60_000,
      clock,
      onRun: (now) => {
        if (now.realMs - reportedAt < reportEveryMs) return;
        reportedAt = now.realMs;
        say(rateOf(now));
      },
    });
    for (const line of summary(tally, options.seed)) say(line);
    if (failed !== undefined) await judge(failed, say);
  } finally {
    allowReality();
  }
};

const killEverywhere = async (say: (line: string) => void): Promise<void> => {
  for (const [name, plan] of Object.entries(basePlans)) {
    const { runs, failed } = await runCrashPoints(plan);
    say(`${name.padEnd(18)} ${runs} runs`);
    if (failed?.violation !== undefined) {
      for (const line of tellStory(failed.plan, failed.violation)) say(line);
      throw new CliError(`the plan, for --scenario: ${JSON.stringify(failed.plan)}`);
    }
  }
};

const readPlan = (bytes: Uint8Array): Plan => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Plan;
  } catch (cause) {
    throw new CliError(`the scenario is not JSON: ${String(cause)}`, { cause });
  }
};

/** Tells what a run broke, as small as it can be made. */
const judge = async (result: RunResult, say: (line: string) => void): Promise<void> => {
  if (result.violation === undefined) return;
  say(`\nseed ${result.plan.seed} breaks ${result.violation.id}; looking for a shorter story ...`);
  const smallest = await shrinkPlan(result, (plan) => runPlan(plan));
  if (smallest.violation !== undefined) for (const line of tellStory(smallest.plan, smallest.violation)) say(line);
  say(`the plan, for --scenario: ${JSON.stringify(smallest.plan)}`);
  throw new CliError(`replay: npm run simulate -- --seed ${result.plan.seed} --seeds 1`);
};

const dayMs = 24 * 3_600_000;

const rateOf = ({ runs, realMs, virtualMs, ownWrites, checks }: Tally): string => {
  const perMinute = Math.round((runs / Math.max(realMs, 1)) * 60_000);
  const days = (virtualMs / dayMs).toFixed(1);
  return `${runs} runs, ${perMinute} a minute, ${days} virtual days, ${ownWrites} own writes, ${checks} checks`;
};

const summary = (tally: Tally, firstSeed: number): readonly string[] => [
  '',
  `seeds ${firstSeed} to ${firstSeed + tally.runs - 1}: ${rateOf(tally)}`,
  `in ${(tally.realMs / 1000).toFixed(0)} s; slowest to heal: ${(tally.slowestMs / 1000).toFixed(0)} virtual seconds`,
  'edits and faults:',
  ...[...tally.acts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `  ${kind.padEnd(18)} ${count}`),
];
