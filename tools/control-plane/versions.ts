/** What the real control plane is made of. Another version of Kubernetes is built anew; after a change of etcd alone, empty the cache. */
export const kubernetesVersion = '1.34.4';
export const etcdVersion = '3.6.5';

export const components = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kubectl',
] as const;
export type Component = (typeof components)[number];
