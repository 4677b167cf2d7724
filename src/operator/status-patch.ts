import type { ModelServingStatus } from '../api/index.ts';
import { jsonEqual } from '../objects/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The JSON merge patch (RFC 7396) from the live status to the wanted one: changed top-level fields only, lists whole,
 * null for what goes. Undefined where nothing differs, so equal statuses are never written twice.
 */
export const statusPatch = (live: ModelServingStatus | undefined, wanted: ModelServingStatus): Fields | undefined => {
  const before: Fields = { ...live };
  const after: Fields = { ...wanted };
  const patch: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!jsonEqual(before[field], after[field])) patch[field] = after[field] ?? null;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
};

/**
 * Whether the installed CRD keeps the milestones, as the answer to a status write shows: false where one that was sent
 * is missing, true where one is there, undefined where the answer proves nothing.
 */
export const keepsMilestones = (sent: Fields, answer: ModelServingStatus | undefined): boolean | undefined => {
  const milestones = [answer?.units, answer?.failures];
  const wasSent = (field: 'units' | 'failures'): boolean => {
    const value = sent[field];
    return Array.isArray(value) && value.length > 0;
  };
  if (wasSent('units') && answer?.units === undefined) return false;
  if (wasSent('failures') && answer?.failures === undefined) return false;
  return milestones.some((list) => list !== undefined && list.length > 0) ? true : undefined;
};
