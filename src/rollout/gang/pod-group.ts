import type { NetworkTopologyPolicy } from '../../api/index.ts';
import type { KubeObject, Schema } from '../../objects/index.ts';

/** Volcano's PodGroup (scheduling.volcano.sh/v1beta1), as far as the operator speaks of it. */
export interface PodGroup extends KubeObject {
  readonly spec?: PodGroupSpec | undefined;
}

export interface PodGroupSpec {
  /** Nothing is scheduled before so many Pods can be. */
  readonly minMember?: number | undefined;
  readonly minResources?: Quantities | undefined;
  /** The CRD defaults it to `default`. */
  readonly queue?: string | undefined;
  readonly networkTopology?: NetworkTopologyPolicy | undefined;
  /** A gang within the gang for each Role. Volcano 1.14 and newer. */
  readonly subGroupPolicy?: readonly SubGroup[] | undefined;
}

export interface SubGroup {
  readonly name: string;
  readonly labelSelector?: { readonly matchLabels?: Readonly<Record<string, string>> | undefined } | undefined;
  /** Pods with equal values of these labels are one sub-group. */
  readonly matchLabelKeys?: readonly string[] | undefined;
  /** Pods of one sub-group. */
  readonly subGroupSize?: number | undefined;
  readonly minSubGroups?: number | undefined;
  readonly networkTopology?: NetworkTopologyPolicy | undefined;
}

/** Amounts by resource name, as the API writes them. */
export type Quantities = Readonly<Record<string, string | number>>;

/** PodGroups of one ModelServing, as far as the cluster has that kind. */
export type PodGroupsView =
  | { readonly state: 'not-installed' }
  /** The CRD is there, but which PodGroups exist is not known yet: nothing is decided about them. */
  | { readonly state: 'unknown' }
  | {
      readonly state: 'known';
      /** Of the served version, as the installed CRD has it: which fields it keeps, what it defaults. */
      readonly schema: Schema;
      /** In its namespace, controlled by it or carrying its name label. */
      readonly objects: readonly PodGroup[];
    };

/** The CRD whose presence decides. */
export const podGroupCrd = 'podgroups.scheduling.volcano.sh';
export const podGroupApiVersion = 'scheduling.volcano.sh/v1beta1';
/** Only Pods of this scheduler are a gang. */
export const volcanoScheduler = 'volcano';
