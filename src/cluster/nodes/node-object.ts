import { isApiError, type KubeClient, resources } from '../../kube/index.ts';
import type { Node, NodeCondition } from '../../objects/index.ts';
import type { NodeOptions } from '../cluster-types.ts';
import { timestamp } from './timestamp.ts';

/** A Ready node as its kubelet registers it. */
export const nodeObject = (options: NodeOptions, at: { readonly hostIP: string; readonly nowMs: number }): Node => {
  const capacity = {
    cpu: '64',
    memory: '512Gi',
    'ephemeral-storage': '1Ti',
    ...options.resources,
    pods: String(options.maxPods ?? 110),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: options.name,
      labels: {
        'kubernetes.io/hostname': options.name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'beta.kubernetes.io/arch': 'amd64',
        ...options.labels,
      },
    },
    spec: { ...(options.taints === undefined ? {} : { taints: options.taints }) },
    status: {
      capacity,
      allocatable: capacity,
      addresses: [
        { type: 'InternalIP', address: at.hostIP },
        { type: 'Hostname', address: options.name },
      ],
      conditions: healthyConditions(timestamp(at.nowMs)),
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'containerd://1.6.20',
        kernelVersion: '6.1.0',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.34.4',
        machineID: options.name,
        operatingSystem: 'linux',
        osImage: 'simulated',
        systemUUID: options.name,
      },
    },
  };
};

/** Every condition of a node that is well. `at`: RFC 3339. */
export const healthyConditions = (at: string): readonly NodeCondition[] => [
  ...(['Memory', 'Disk', 'PID'] as const).map((what) => ({
    type: `${what}Pressure`,
    status: 'False',
    reason: `KubeletHasSufficient${what}`,
    message: `kubelet has sufficient ${what} available`,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  })),
  {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
    lastHeartbeatTime: at,
    lastTransitionTime: at,
  },
];

/** Creates the Node; where one of that name exists, it takes over its status. */
export const registerNode = async (client: KubeClient, node: Node): Promise<void> => {
  const { status, ...rest } = node;
  try {
    await client.create(resources.nodes, node);
  } catch (error) {
    if (!isApiError(error, 'already-exists')) throw error;
  }
  const ref = { name: rest.metadata.name ?? '' };
  await client.patch(resources.nodes, ref, { type: 'strategic', body: { status } }, { subresource: 'status' });
};
