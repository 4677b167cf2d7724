// How long one decision takes for a ModelServing of 1,000 groups with 6 Pods each (two Roles, an entry and two workers).
// The objects are made by decisions, too. Times of one run on one machine; the ratio to reading the same Pods from JSON
// once, taken in turns with it, is what can be compared.
import type { DecideInput } from '../src/rollout/index.ts';
import { withImage } from '../src/simulation/index.ts';
import { compiledRollout } from './compiled-rollout.ts';
import { aServing } from './engine-template.ts';
import { createInstantCluster, type InstantCluster } from './instant-cluster.ts';
import { collect, type Sample, sampleOf, summary, thisMachine } from './report.ts';

const groups = Number(process.env['BENCH_GROUPS'] ?? 1000);
const podsPerGroup = 6;
const { decide } = await compiledRollout();
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 30);

const atRest = (cluster: InstantCluster): void => {
  for (let steps = 0; steps < 10_000; steps += 1) {
    const { effects, status } = cluster.step();
    cluster.runKubelets();
    if (effects.length === 0 && status === undefined) return;
  }
  throw new Error('it never comes to rest');
};

/** One fresh copy of all Pods, as after a list: nothing that was memoised about them holds any more. */
const relisted = (input: DecideInput): DecideInput => ({
  ...input,
  modelServing: structuredClone(input.modelServing),
  children: structuredClone(input.children),
});

/** What changes between two decisions in operation: a few Pods are new objects, the rest are the same. */
const withChangedPods = (input: DecideInput, count: number, round: number): DecideInput => {
  const pods = input.children.pods.map((pod, index) =>
    index % Math.ceil(input.children.pods.length / count) === round % 7 ? { ...pod } : pod,
  );
  return { ...input, children: { ...input.children, pods } };
};

/** Each case by itself, so that none pays for the garbage of another; the reference before and after, as load changes. */
const measure = (title: string, input: DecideInput): void => {
  const json = JSON.stringify(input.children.pods);
  const parse = (): unknown => JSON.parse(json);
  const before = timed(parse, () => undefined, { warmUp: 2, count: 5 });
  const cases = {
    'nothing changed': timed(decide, () => input, { warmUp: 100, count: rounds }),
    '20 Pods changed': timed(decide, (round) => withChangedPods(input, 20, round), { warmUp: 100, count: rounds }),
    'after a new list': timed(decide, () => relisted(input), { warmUp: 5, count: Math.ceil(rounds / 4) }),
  };
  const reference = [...before, ...timed(parse, () => undefined, { warmUp: 2, count: 5 })];
  console.log(`\n${title}: ${input.children.pods.length} Pods`);
  for (const [name, samples] of Object.entries({ 'reference: JSON.parse of these Pods': reference, ...cases })) {
    const share = summary(samples.map((it) => it.cpuMs)).median / summary(reference.map((it) => it.cpuMs)).median;
    console.log(`  ${name.padEnd(36)} ${describe(samples)}, ${share.toFixed(3)} of the reference`);
  }
};

const describe = (samples: readonly Sample[]): string => {
  const wall = summary(samples.map((it) => it.wallMs));
  const cpu = summary(samples.map((it) => it.cpuMs));
  return `${wall.text}; CPU median ${cpu.median.toFixed(1)} ms`;
};

/** With the garbage of what came before collected, and after rounds that do not count: the code is compiled in them. */
const timed = <In>(
  work: (input: In) => unknown,
  next: (round: number) => In,
  { warmUp, count }: { readonly warmUp: number; readonly count: number },
): readonly Sample[] => {
  const samples: Sample[] = [];
  for (let round = -warmUp; round < count; round += 1) {
    const input = next(round);
    if (round === -warmUp) collect();
    const sample = sampleOf(() => work(input));
    if (round >= 0) samples.push(sample);
  }
  return samples;
};

console.log(`one decision, ${groups} groups of ${podsPerGroup} Pods, ${rounds} rounds, ${thisMachine()}`);
const cluster = createInstantCluster(
  aServing({
    name: 'llama',
    groups,
    roles: ['prefill', 'decode'],
    workers: 2,
    image: 'engine:1',
    maxUnavailable: '10%',
  }),
);
atRest(cluster);
measure('at rest, fresh', cluster.input());

cluster.edit((live) => withImage(live, 'engine:2'));
const isUpdated = (): number => cluster.pods().filter((pod) => pod.spec.containers[0]?.image === 'engine:2').length;
while (isUpdated() < (groups * podsPerGroup) / 2) {
  cluster.step();
  if (isUpdated() < (groups * podsPerGroup) / 2) cluster.runKubelets();
}
// Half of what is under way has come up, the rest has only been patched.
let seen = 0;
cluster.runKubelets((pod) => pod.status?.observedGeneration !== pod.metadata.generation && seen++ % 2 === 0);
measure('in the middle of an in-place rollout', cluster.input());

cluster.runKubelets();
atRest(cluster);
measure('at rest, every Pod with a marker', cluster.input());
