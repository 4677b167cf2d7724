import type { GangPolicy, ModelServingSpec, NetworkTopology, PluginSpec, Role } from '../api/index.ts';

/** A Role as revisions hold it: without its number and without rollout knobs, which never make a new revision. */
export type RevisionRole = Omit<Role, 'replicas' | 'maxUnavailable' | 'maxSurge' | 'partition'>;

/**
 * What a record says of one field.
 *
 * `recorded`: this is what the revision was made with. `assumed`: what stood in the spec when an older record was taken
 * over; good enough to notice a later edit, not to prove that Pods were made with it. `silent`: nothing.
 */
export type Recorded<T> =
  | { readonly state: 'recorded'; readonly value: T }
  | { readonly state: 'assumed'; readonly value: T }
  | { readonly state: 'silent' };

/** What identifies a revision, and beside it the scheduling in force for its groups, which does not. */
export interface RevisionData {
  readonly roles: readonly RevisionRole[];
  readonly schedulerName: Recorded<string | undefined>;
  readonly plugins: Recorded<readonly PluginSpec[]>;
  readonly gangPolicy: Recorded<GangPolicy | undefined>;
  readonly networkTopology: Recorded<NetworkTopology | undefined>;
}

export const recorded = <T>(value: T): Recorded<T> => ({ state: 'recorded', value });

export const silent: Recorded<never> = { state: 'silent' };

/** The revision that a spec asks for; it is never silent. */
export const revisionDataOf = (spec: ModelServingSpec): RevisionData => ({
  roles: spec.template.roles.map(withoutKnobs),
  schedulerName: recorded(spec.schedulerName),
  plugins: recorded(spec.plugins ?? []),
  gangPolicy: recorded(spec.template.gangPolicy),
  networkTopology: recorded(spec.template.networkTopology),
});

export const withoutKnobs = (role: RevisionRole | Role): RevisionRole => {
  const { replicas: _, maxUnavailable: _u, maxSurge: _s, partition: _p, ...rest } = role as Role;
  return rest;
};

/** The fields that matter for an update and of which a record may say nothing. */
export type RecordedField = 'schedulerName' | 'plugins' | 'gangPolicy' | 'networkTopology';

export const recordedFields: readonly RecordedField[] = ['schedulerName', 'plugins', 'gangPolicy', 'networkTopology'];

/** What a record does not say (`assumed` is not said either), in the order of `recordedFields`. */
export const silences = (data: RevisionData): readonly RecordedField[] =>
  recordedFields.filter((field) => data[field].state !== 'recorded');
