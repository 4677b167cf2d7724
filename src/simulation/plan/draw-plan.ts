import { nameLabel, revisionLabel, roleLabel } from '../../api/index.ts';
import { type Dice, throwDice } from './dice.ts';
import { badImages, goodImages } from './images.ts';
import type { Act, ActKind, Plan, ServingPlan, Step } from './plan.ts';

/** The plan of a seed. Each seed draws a subset of the kinds of acts: few kinds find other faults than all. */
export const drawPlan = (seed: number): Plan => {
  const dice = throwDice(seed);
  const serving = drawServing(dice);
  const kinds = actKinds.filter(() => dice.chance(0.3));
  const horizonMs = dice.pick([20_000, 60_000, 200_000]);
  const steps: Step[] = [];
  if (dice.chance(0.8)) steps.push({ at: dice.upTo(horizonMs / 2), act: draws.image(dice, serving) });
  const count = dice.upTo(10);
  for (let i = 0; i < count && kinds.length > 0; i += 1) {
    steps.push({ at: dice.upTo(horizonMs), act: draws[dice.pick(kinds)](dice, serving) });
  }
  return {
    seed,
    serving,
    steps: steps.toSorted((a, b) => a.at - b.at),
    horizonMs,
    ending: dice.chance(0.75) ? 'mended' : 'as-it-is',
  };
};

const drawServing = (dice: Dice): ServingPlan => {
  const groups = dice.between(1, 3);
  const roles = ['p', 'd'].slice(0, dice.between(1, 2)).map((name) => ({
    name,
    replicas: dice.between(1, 2),
    workers: dice.chance(0.4) ? 1 : 0,
  }));
  return {
    groups,
    roles,
    type: dice.chance(0.6) ? 'ServingGroupRollingUpdate' : 'RoleRollingUpdate',
    method: dice.chance(0.8) ? 'InPlace' : 'Recreate',
    recovery: dice.pick(['ServingGroupRecreate', 'RoleRecreate', 'None']),
    maxUnavailable: dice.between(1, 2),
    maxSurge: dice.chance(0.15) ? 1 : 0,
    partition: dice.chance(0.25) ? 1 : 0,
    restartGraceSeconds: dice.pick([0, 0, 10]),
    deadlineSeconds: dice.pick([60, 90, 600]),
    graceSeconds: dice.pick([1, 5, 30]),
    hasProbe: dice.chance(0.85),
  };
};

const plurals: readonly string[] = ['pods', 'modelservings', 'services', 'controllerrevisions'];
const drawImage = (dice: Dice): string => dice.pick(dice.chance(0.7) ? goodImages : badImages);
const drawRole = (dice: Dice, { roles }: ServingPlan): string => dice.pick(roles).name;

type Draws = { readonly [Kind in ActKind]: (dice: Dice, serving: ServingPlan) => Extract<Act, { kind: Kind }> };

const draws: Draws = {
  image: (dice, serving) => ({
    kind: 'image',
    image: drawImage(dice),
    role: dice.chance(0.2) ? drawRole(dice, serving) : undefined,
  }),
  scale: (dice) => ({ kind: 'scale', groups: dice.between(0, 4) }),
  'role-replicas': (dice, serving) => ({
    kind: 'role-replicas',
    role: drawRole(dice, serving),
    replicas: dice.between(1, 3),
  }),
  partition: (dice) => ({ kind: 'partition', partition: dice.between(0, 3) }),
  'max-unavailable': (dice) => ({ kind: 'max-unavailable', maxUnavailable: dice.between(1, 3) }),
  method: (dice) => ({ kind: 'method', method: dice.pick(['InPlace', 'Recreate']) }),
  pause: (dice) => ({ kind: 'pause', paused: dice.chance(0.6) }),
  recreate: (dice) => ({ kind: 'recreate', image: dice.pick(goodImages) }),
  'delete-pod': (dice) => ({ kind: 'delete-pod', pick: dice.fraction() }),
  'evict-pod': (dice) => ({ kind: 'evict-pod', pick: dice.fraction() }),
  'image-by-hand': (dice) => ({ kind: 'image-by-hand', pick: dice.fraction(), image: drawImage(dice) }),
  unlabel: (dice) => ({
    kind: 'unlabel',
    pick: dice.fraction(),
    label: dice.pick([nameLabel, revisionLabel, roleLabel]),
  }),
  'spoil-marker': (dice) => ({ kind: 'spoil-marker', pick: dice.fraction(), text: dice.pick(['', '{', '{}', 'null']) }),
  'delete-service': (dice) => ({ kind: 'delete-service', pick: dice.fraction() }),

  refuse: (dice) => ({
    kind: 'refuse',
    method: dice.pick(['POST', 'PATCH', 'DELETE', 'GET']),
    plural: dice.pick([...plurals, 'events']),
    code: dice.pick([403, 409, 422, 429, 500, 503]),
    times: dice.between(1, 4),
  }),
  'lose-request': (dice) => ({ kind: 'lose-request', times: dice.between(1, 3) }),
  'lose-reply': (dice) => ({ kind: 'lose-reply', times: dice.between(1, 3) }),
  hang: () => ({ kind: 'hang', times: 1 }),
  'slow-request': (dice) => ({
    kind: 'slow-request',
    times: dice.between(1, 3),
    byMs: dice.pick([50, 1_000, 10_000]),
  }),
  'close-watches': (dice) => ({ kind: 'close-watches', plural: dice.pick(plurals) }),
  'lag-watches': (dice) => ({
    kind: 'lag-watches',
    plural: dice.pick(plurals),
    byMs: dice.pick([100, 2_000, 15_000]),
    coalesce: dice.chance(0.5),
  }),
  'stall-watches': (dice) => ({
    kind: 'stall-watches',
    plural: dice.pick(plurals),
    forMs: dice.pick([2_000, 20_000, 100_000]),
  }),
  compact: () => ({ kind: 'compact' }),

  crash: (dice) => ({
    kind: 'crash',
    write: dice.between(1, 12),
    moment: dice.pick(['before-send', 'after-commit', 'after-reply']),
    downMs: dice.pick([0, 1_000, 30_000]),
  }),
  kill: (dice) => ({ kind: 'kill', downMs: dice.pick([0, 1_000, 30_000]) }),
  freeze: (dice) => ({ kind: 'freeze', forMs: dice.pick([1_000, 10_000, 120_000]) }),
  'second-operator': (dice) => ({ kind: 'second-operator', forMs: dice.pick([5_000, 60_000]) }),
  'clock-jump': (dice) => ({ kind: 'clock-jump', byMs: dice.pick([-60_000, -5_000, 5_000, 120_000]) }),

  'kill-container': (dice) => ({ kind: 'kill-container', pick: dice.fraction(), code: dice.pick([0, 1, 137]) }),
  'lose-container': (dice) => ({ kind: 'lose-container', pick: dice.fraction() }),
  unready: (dice) => ({ kind: 'unready', pick: dice.fraction(), forMs: dice.pick([2_000, 30_000]) }),
  'pause-kubelet': (dice) => ({ kind: 'pause-kubelet', node: dice.upTo(3), forMs: dice.pick([3_000, 30_000]) }),
  'mute-kubelet': (dice) => ({ kind: 'mute-kubelet', node: dice.upTo(3), forMs: dice.pick([3_000, 30_000]) }),
  'restart-kubelet': (dice) => ({ kind: 'restart-kubelet', node: dice.upTo(3) }),
  reboot: (dice) => ({ kind: 'reboot', node: dice.upTo(3) }),
};

/** Every kind of act there is. */
export const actKinds: readonly ActKind[] = Object.keys(draws) as ActKind[];
