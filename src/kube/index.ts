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
export { apiVersionOf, type Resource } from './resource.ts';
export type { CacheChange, WatchCache } from './watch-cache-types.ts';
export type { WorkQueue } from './work-queue-types.ts';
