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
