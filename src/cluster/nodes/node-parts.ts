import type { Pod } from '../../objects/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import type { BackOff } from './back-off.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { ImagePuller } from './image-puller.ts';
import type { ImageCatalogue, ImageStore } from './image-store.ts';
import type { Pausable } from './pausable.ts';
import type { Prober } from './prober.ts';
import type { Relister } from './relister.ts';
import type { Runtime } from './runtime.ts';
import type { StatusManager } from './status-manager.ts';

/** What the Pod workers of one node share. */
export interface NodeParts {
  readonly clock: Clock;
  readonly random: Random;
  /** The kubelet's own: they stand still while it is paused. */
  readonly timers: Pausable;
  readonly runtime: Runtime;
  readonly relister: Relister;
  readonly images: ImageStore;
  readonly catalogue: ImageCatalogue;
  readonly puller: ImagePuller;
  /** Of crashing containers, by Pod UID, container and image. */
  readonly crashes: BackOff;
  readonly prober: Prober;
  readonly statuses: StatusManager;
  readonly events: EventRecorder;
  readonly hostIP: string;
  readonly reportsObservedGeneration: boolean;
  addressOf(pod: Pod): string;
  /** Nothing of the Pod is left on the node and the API server no longer has it. */
  onGone(podUid: string): void;
}
