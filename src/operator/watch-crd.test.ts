import { describe, expect, it } from 'vitest';
import { modelServingCrd } from '../api/index.ts';
import { hasMilestones } from './watch-crd.ts';

const statusOf = (fields: object) => ({
  metadata: { name: 'modelservings.workload.serving.volcano.sh' },
  spec: {
    versions: [{ name: 'v1alpha1', schema: { openAPIV3Schema: { properties: { status: { properties: fields } } } } }],
  },
});

describe('whether a CRD has the milestones', () => {
  it('is yes for the one of this version', () => {
    expect(hasMilestones(modelServingCrd)).toBe(true);
  });

  it('is no where one of the two is missing, or the schema is of another version', () => {
    expect(hasMilestones(statusOf({ units: {}, failures: {} }))).toBe(true);
    expect(hasMilestones(statusOf({ units: {} }))).toBe(false);
    expect(hasMilestones({ metadata: {} })).toBe(false);
  });
});
