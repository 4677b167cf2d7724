import { quiet, reached, restInvariants, saysWhy } from '../invariants/index.ts';
import { goodImages } from '../plan/images.ts';
import type { Plan } from '../plan/plan.ts';
import { operatorUser } from '../world.ts';
import { missing } from './at-rest.ts';
import type { Play } from './driver.ts';
import { applyAgain, mend } from './edits.ts';

/** Everything must be as asked for within this time after the last fault; deadlines and restarts included. */
const convergenceMs = 90 * 60_000;
/** What the status remembers for a while (recreations that must not come too fast) is forgotten by then. */
const settledMs = 20 * 60_000;
const quietMs = 40 * 60_000;

/** The user asks for a good image; everything must get there, stay there, and a restart must change nothing. */
export const endWell = async (plan: Plan, play: Play): Promise<number> => {
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
export const endAsItIs = async ({ world, judge, driver }: Play): Promise<undefined> => {
  await driver.advance(quietMs);
  const finding = missing(judge.scene);
  const { modelServing } = judge.scene;
  if (finding === undefined || modelServing === undefined) return undefined;
  const holds = modelServing.status?.conditions?.find(({ status }) => status === 'True');
  const waits = [...world.operator().operator.waits().values()].flat();
  if (waits.length > 0 || (holds?.message ?? '').length > 0) return undefined;
  judge.fail({ ...saysWhy, finding });
};
