export type { LogSource } from './core.ts';
export type { Fault, PendingWrite, RequestFacts, RequestFault } from './faults/fault-types.ts';
export type { Faults } from './faults/faults.ts';
export {
  type ChooseRendering,
  type DecodeBody,
  isStream,
  type Page,
  type Rendering,
  type ServerExtensions,
  type ServerOutcome,
  type ServerStream,
  type StreamSink,
} from './seam.ts';
export { type ApiServer, type ApiServerOptions, createApiServer } from './server.ts';
export type { Status } from './status-error.ts';
export { requestOf, textOf } from './transport.ts';
