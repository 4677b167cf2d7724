import { describe, expect, it } from 'vitest';
import type { ModelServingStatus } from '../api/index.ts';
import { applyMergePatch } from '../objects/index.ts';
import { keepsMilestones, statusPatch } from './status-patch.ts';

const units = [{ groups: '0-3', roles: [{ name: 'r', instances: '0', completed: 1 }] }];

describe('the patch of a status', () => {
  it('is nothing where only the order of keys differs', () => {
    const live: ModelServingStatus = { replicas: 1, units: [{ groups: '0', roles: [] }] };
    expect(statusPatch(live, { units: [{ roles: [], groups: '0' }], replicas: 1 })).toBeUndefined();
    expect(statusPatch(undefined, {})).toBeUndefined();
  });

  it('carries changed fields alone, lists whole, and null for what goes', () => {
    const live: ModelServingStatus = { replicas: 4, updatedReplicas: 1, units, failures: [] };
    const more = [...units, { groups: '4', roles: [] }];
    expect(statusPatch(live, { replicas: 4, updatedReplicas: 2, units: more })).toEqual({
      updatedReplicas: 2,
      units: more,
      failures: null,
    });
  });

  it('turns the live status into the wanted one when the API server applies it', () => {
    const live: ModelServingStatus = { replicas: 4, currentRevision: 'a', units };
    const wanted: ModelServingStatus = { replicas: 3, updateRevision: 'b', units: [] };
    expect(applyMergePatch(live, statusPatch(live, wanted) ?? {})).toEqual(wanted);
  });
});

describe('whether the CRD keeps the milestones', () => {
  it('is no when what was sent is missing in the answer', () => {
    expect(keepsMilestones({ units }, { replicas: 4 })).toBe(false);
    expect(keepsMilestones({ failures: [{ group: 1 }] }, { units })).toBe(false);
  });

  it('is yes when the answer shows one', () => {
    expect(keepsMilestones({ units }, { units })).toBe(true);
    expect(keepsMilestones({ replicas: 3 }, { units })).toBe(true);
  });

  it('stays open when neither was sent nor shown, or only an empty list was sent', () => {
    expect(keepsMilestones({ replicas: 3 }, { replicas: 3 })).toBeUndefined();
    expect(keepsMilestones({ units: [] }, {})).toBeUndefined();
    expect(keepsMilestones({ units: null }, {})).toBeUndefined();
  });
});
