export { createAuthority, issueClientCertificate, issueServerCertificate, type KeyPair } from './certificates.ts';
export type { Clock } from './clock.ts';
export type { Files } from './files.ts';
export {
  type HttpsServer,
  type HttpsServerOptions,
  type IncomingRequest,
  listenHttps,
  type OutgoingResponse,
  PortInUseError,
} from './https-server.ts';
export { nodeFiles } from './node-files.ts';
export { nodePlatform } from './node-platform.ts';
export { nodeSignals } from './node-signals.ts';
export { type NodeTransportOptions, nodeTransport } from './node-transport.ts';
export { type Platform, sleep } from './platform.ts';
export { fraction, type Random, randomHex, randomUuid } from './random.ts';
export type { EndSignal, Signals } from './signals.ts';
export type { Cancel, Timers } from './timers.ts';
export type { ResponseHandlers, ResponseHead, Transport, TransportRequest } from './transport.ts';
