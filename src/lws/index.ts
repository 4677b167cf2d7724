export { decideLws, type LwsDecision, type LwsEvent, type LwsInput, type LwsWrite, lwsEvent } from './decide-lws.ts';
export {
  type LeaderWorkerSet,
  type LeaderWorkerSetSpec,
  type LeaderWorkerSetStatus,
  leaderWorkerSetApiVersion,
  leaderWorkerSetKind,
} from './leader-worker-set.ts';
