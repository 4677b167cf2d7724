export { type ClientOptions, createClient } from './client.ts';
export type {
  DeleteRequest,
  KubeClient,
  List,
  ListOptions,
  PatchType,
  WatchEvent,
  WatchHandlers,
  WatchOptions,
  WriteOptions,
} from './client-types.ts';
export { type Connection, connect, type LoadConnectionOptions, loadConnection } from './connection.ts';
export { ApiError, type ApiErrorCode, isApiError, type RetryAdvice } from './errors.ts';
export { createEventRecorder, type EventRecorder, type EventRecorderOptions, type EventReport } from './events.ts';
export type { Indexer } from './indexed-store.ts';
export { KubeconfigError } from './kubeconfig-file.ts';
export { type Log, silentLog } from './log.ts';
export type { ReflectorState } from './reflector-state.ts';
export { apiVersionOf, type Resource } from './resource.ts';
export { compareVersions } from './resource-version.ts';
export { resources } from './resources.ts';
export type { Status, StatusCause, StatusDetails } from './status.ts';
export {
  createWatchCache,
  type ObservedWatchCache,
  type WatchCacheOptions,
  type WatchCacheStats,
} from './watch-cache.ts';
export type { CacheChange, WatchCache } from './watch-cache-types.ts';
export {
  createWorkQueue,
  type ObservedWorkQueue,
  type WorkQueueMetrics,
  type WorkQueueOptions,
  type WorkQueueStats,
} from './work-queue.ts';
export type { WorkQueue } from './work-queue-types.ts';
