export type { Clock } from './clock.ts';
export type { Files } from './files.ts';
export { nodePlatform } from './node-platform.ts';
export { type Platform, sleep } from './platform.ts';
export { fraction, type Random, randomHex, randomUuid } from './random.ts';
export type { Cancel, Timers } from './timers.ts';
export type { ResponseHandlers, ResponseHead, Transport, TransportRequest } from './transport.ts';
