export { modelServingCrd } from './crd.ts';
export type * from './types.ts';
