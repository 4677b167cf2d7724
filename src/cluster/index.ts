export { createCluster } from './cluster.ts';
export type {
  AdmissionAnswer,
  AdmissionPlugin,
  AdmissionRequest,
  Cluster,
  ClusterNodes,
  ClusterOptions,
  ContainerTruth,
  ImageBehaviour,
  LedgerEntry,
  NodeOptions,
} from './cluster-types.ts';
export { type HttpsFront, type HttpsFrontOptions, openHttpsFront } from './https-front.ts';
export { type KubeconfigOptions, writeKubeconfig } from './kubeconfig.ts';
export type { Fault, Faults, PendingWrite, RequestFacts, RequestFault } from './server/index.ts';
