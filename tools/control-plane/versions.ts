/** What the real control plane is made of. A change here makes a new binary: its folder in the cache carries no version. */
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
