import type { RoleInstanceIdentity } from './names.ts';
import { formatRanges, readRanges } from './ranges.ts';
import type { RecreationRecord } from './types.ts';

/** How often in a row one role instance was made again, as `status.recreations` keeps it for many groups at once. */
export interface Recreation extends RoleInstanceIdentity {
  /** `updateRevision` at that time. */
  readonly revision: string;
  readonly times: number;
}

/** As stored: groups in which the same instance stands alike are one entry. The order of the input does not matter. */
export const encodeRecreations = (all: readonly Recreation[]): readonly RecreationRecord[] => {
  const alike = new Map<string, { readonly first: Recreation; readonly groups: number[] }>();
  for (const one of [...all].sort(compare)) {
    const key = JSON.stringify([one.role, one.instance, one.revision, one.times]);
    const found = alike.get(key);
    if (found === undefined) alike.set(key, { first: one, groups: [one.group] });
    else found.groups.push(one.group);
  }
  return [...alike.values()].map(({ first: { role, instance, revision, times }, groups }) => ({
    groups: formatRanges(groups),
    role,
    instance,
    revision,
    times,
  }));
};

const compare = (a: Recreation, b: Recreation): number =>
  a.group - b.group || (a.role === b.role ? a.instance - b.instance : a.role < b.role ? -1 : 1);

/** One per role instance. An entry edited by hand into something unreadable is left out: its back-off is over. */
export const decodeRecreations = (records: readonly RecreationRecord[] | undefined): readonly Recreation[] =>
  (records ?? []).flatMap(({ groups, role, instance, revision, times }) =>
    readRanges(groups).map((group) => ({ group, role, instance, revision, times })),
  );
