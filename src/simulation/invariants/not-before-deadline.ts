import { effectiveProgressDeadlineSeconds, type ModelServing } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { isOwnStatusWrite } from './write-kinds.ts';

export const notBeforeDeadline: Invariant = {
  id: 'I17',
  rule: 'A unit is recorded as failed no earlier than its deadline after its start.',
  begin: () => ({
    before: (judged) => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const { scene, entry } = judged;
      const known = new Set(scene.modelServing?.status?.failures?.map((it) => JSON.stringify(it)));
      const fresh = ((entry.object as ModelServing).status?.failures ?? []).filter(
        (it) => !known.has(JSON.stringify(it)),
      );
      const seconds = Math.min(...scene.recent().map(({ spec }) => effectiveProgressDeadlineSeconds(spec)));
      const early = fresh.find(({ startedAt }) => entry.atMs < Date.parse(startedAt) + seconds * 1000);
      return early === undefined
        ? undefined
        : `group ${early.group} failed before ${seconds} s since ${early.startedAt}`;
    },
  }),
};
