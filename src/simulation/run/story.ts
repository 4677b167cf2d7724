import type { LedgerEntry } from '../../cluster/index.ts';
import type { Act, Plan } from '../plan/plan.ts';
import type { Violation } from './violation.ts';

/** What happened in a run that broke a rule, for a person: the object, the acts, the last writes, the finding. */
export const tellStory = (plan: Plan, violation: Violation): readonly string[] => [
  `seed ${plan.seed} breaks ${violation.id}: ${violation.rule}`,
  `  ${violation.finding}`,
  `the object: ${describe(plan.serving)}`,
  `what happened, in milliseconds since it was created (horizon ${plan.horizonMs}, then ${plan.ending}):`,
  ...plan.steps.map(({ at, act }) => `  ${String(at).padStart(8)} ${describeAct(act)}`),
  `the last writes, until ${violation.atMs}:`,
  ...violation.slice.map((entry) => `  ${describeWrite(entry)}`),
];

const describe = (fields: object): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');

export const describeAct = ({ kind, ...rest }: Act): string => `${kind} ${describe(rest)}`.trimEnd();

/** `00:01:12.345 someone patch pods/status ms-0-p-0-0`. */
export const describeWrite = (entry: LedgerEntry): string => {
  const { atMs, userName, verb, resource, subresource, name } = entry;
  const time = new Date(atMs).toISOString().slice(11, 23);
  const user = userName.slice(userName.lastIndexOf(':') + 1);
  return `${time} ${user} ${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} ${name}`;
};
