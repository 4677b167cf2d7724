import type { Node } from '../../../../objects/index.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, type Printer, printerFor } from './printer.ts';

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';
const wide = { wide: true };

export const nodePrinter: Printer = printerFor<Node>(
  [
    nameColumn,
    column('Status', 'Whether the node is ready, and whether Pods may be scheduled to it.'),
    column('Roles', 'Roles of the node, from its labels.'),
    ageColumn,
    column('Version', 'Version of the kubelet.'),
    column('Internal-IP', 'Address inside the cluster.', wide),
    column('External-IP', 'Address outside the cluster.', wide),
    column('OS-Image', 'Operating system.', wide),
    column('Kernel-Version', 'Kernel.', wide),
    column('Container-Runtime', 'Container runtime and its version.', wide),
  ],
  (node, nowMs) => [
    nameCell(node),
    [readiness(node), ...(node.spec.unschedulable === true ? ['SchedulingDisabled'] : [])].join(','),
    orNone(roles(node).join(',')),
    ageCell(node, nowMs),
    node.status?.nodeInfo?.kubeletVersion ?? '',
    address(node, 'InternalIP'),
    address(node, 'ExternalIP'),
    node.status?.nodeInfo?.osImage || '<unknown>',
    node.status?.nodeInfo?.kernelVersion || '<unknown>',
    node.status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
  ],
);

const readiness = (node: Node): string => {
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined) return 'Unknown';
  return ready.status === 'True' ? 'Ready' : 'NotReady';
};

const roles = (node: Node): readonly string[] => {
  const labels = Object.entries(node.metadata.labels ?? {});
  const found = labels.map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === roleLabel ? value : '',
  );
  return [...new Set(found.filter((role) => role !== ''))].sort();
};

const address = (node: Node, type: string): string =>
  orNone(node.status?.addresses?.find((entry) => entry.type === type)?.address);
