import type { ModelServing } from '../../api/index.ts';
import { prune, type Schema } from '../../objects/index.ts';
import { type PodGroup, podGroupCrd } from './pod-group.ts';

export interface Fitted {
  /** Without what the installed CRD does not know: the server would drop it, and it would look changed for ever. */
  readonly podGroup: PodGroup;
  /** What the user asked for and this Volcano cannot do; one sentence each. */
  readonly losses: readonly string[];
}

/** Fits a desired PodGroup to the schema of the installed CRD; Volcano's versions differ. */
export const fitSchema = (desired: PodGroup, schema: Schema, modelServing: ModelServing): Fitted => {
  const { value, unknownFields } = prune(schema, desired);
  return { podGroup: value as PodGroup, losses: lossesOf(unknownFields, modelServing) };
};

const lossesOf = (unknownFields: readonly string[], { spec }: ModelServing): readonly string[] => {
  const { gangPolicy, networkTopology } = spec.template;
  const isLost = (field: string): boolean => unknownFields.some((it) => it === field || it.startsWith(`${field}.`));
  const asksByRole = Object.keys(gangPolicy?.minRoleReplicas ?? {}).length > 0 || !!networkTopology?.rolePolicy;
  const losses = [
    asksByRole && isLost('spec.subGroupPolicy')
      ? 'has no spec.subGroupPolicy: only the group as a whole is a gang (spec.minMember), not each instance of a Role'
      : undefined,
    networkTopology?.groupPolicy && isLost('spec.networkTopology')
      ? 'has not all of spec.networkTopology: groupPolicy holds only in part, or not at all'
      : undefined,
  ];
  return losses
    .filter((loss) => loss !== undefined)
    .map((loss) => `the installed CRD ${podGroupCrd} ${loss}; install a newer Volcano`);
};
