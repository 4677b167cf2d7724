import type { RecoveryPolicy, RolloutType, UpdateMethod } from '../../api/index.ts';
import type { WriteMoment } from '../link.ts';

/** A whole run as data: the object, what people do to it, what goes wrong, in order of time. */
export interface Plan {
  readonly seed: number;
  readonly serving: ServingPlan;
  readonly steps: readonly Step[];
  /** How long people and faults have, milliseconds; then everything heals. */
  readonly horizonMs: number;
  /** What the user asks for at the end: a good image with nothing held back, or what was asked for last. */
  readonly ending: 'mended' | 'as-it-is';
}

export interface ServingPlan {
  readonly groups: number;
  readonly roles: readonly RolePlan[];
  readonly type: RolloutType;
  readonly method: UpdateMethod;
  readonly recovery: RecoveryPolicy;
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  readonly partition: number;
  readonly restartGraceSeconds: number;
  readonly deadlineSeconds: number;
  /** `terminationGracePeriodSeconds` of every Pod. */
  readonly graceSeconds: number;
  readonly hasProbe: boolean;
}

export interface RolePlan {
  readonly name: string;
  readonly replicas: number;
  readonly workers: number;
}

export interface Step {
  /** Milliseconds after the ModelServing was created. */
  readonly at: number;
  readonly act: Act;
}

export type Act = Edit | NetworkFault | ProcessFault | NodeFault;
export type ActKind = Act['kind'];

/** A Pod is chosen among those there are when it happens: `pick` is a fraction of their number. */
interface OfPod {
  readonly pick: number;
}

/** What people do. */
export type Edit =
  | { readonly kind: 'image'; readonly image: string; readonly role?: string | undefined }
  | { readonly kind: 'scale'; readonly groups: number }
  | { readonly kind: 'role-replicas'; readonly role: string; readonly replicas: number }
  | { readonly kind: 'partition'; readonly partition: number }
  | { readonly kind: 'max-unavailable'; readonly maxUnavailable: number }
  | { readonly kind: 'method'; readonly method: UpdateMethod }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'recreate'; readonly image: string }
  | (OfPod & { readonly kind: 'delete-pod' })
  | (OfPod & { readonly kind: 'evict-pod' })
  | (OfPod & { readonly kind: 'image-by-hand'; readonly image: string })
  | (OfPod & { readonly kind: 'unlabel'; readonly label: string })
  | (OfPod & { readonly kind: 'spoil-marker'; readonly text: string })
  | { readonly kind: 'delete-service'; readonly pick: number };

/** What goes wrong between the operator and the API server. */
export type NetworkFault =
  | {
      readonly kind: 'refuse';
      readonly method: 'POST' | 'PATCH' | 'DELETE' | 'GET';
      readonly plural: string;
      readonly code: number;
      readonly times: number;
    }
  | { readonly kind: 'lose-request'; readonly times: number }
  | { readonly kind: 'lose-reply'; readonly times: number }
  | { readonly kind: 'hang'; readonly times: number }
  | { readonly kind: 'slow-request'; readonly times: number; readonly byMs: number }
  | { readonly kind: 'close-watches'; readonly plural: string }
  | { readonly kind: 'lag-watches'; readonly plural: string; readonly byMs: number; readonly coalesce: boolean }
  | { readonly kind: 'stall-watches'; readonly plural: string; readonly forMs: number }
  | { readonly kind: 'compact' };

/** What goes wrong with the operator's process. */
export type ProcessFault =
  | { readonly kind: 'crash'; readonly write: number; readonly moment: WriteMoment; readonly downMs: number }
  | { readonly kind: 'kill'; readonly downMs: number }
  | { readonly kind: 'freeze'; readonly forMs: number }
  | { readonly kind: 'second-operator'; readonly forMs: number }
  | { readonly kind: 'clock-jump'; readonly byMs: number };

/** What goes wrong on the nodes. */
export type NodeFault =
  | (OfPod & { readonly kind: 'kill-container'; readonly code: number })
  | (OfPod & { readonly kind: 'lose-container' })
  | (OfPod & { readonly kind: 'unready'; readonly forMs: number })
  | { readonly kind: 'pause-kubelet'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'mute-kubelet'; readonly node: number; readonly forMs: number }
  | { readonly kind: 'restart-kubelet'; readonly node: number }
  | { readonly kind: 'reboot'; readonly node: number };
