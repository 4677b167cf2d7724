import type { Service, ServicePort } from '../../../../objects/index.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, type Printer, printerFor } from './printer.ts';

export const servicePrinter: Printer = printerFor<Service>(
  [
    nameColumn,
    column('Type', 'How the Service is exposed.'),
    column('Cluster-IP', 'Address inside the cluster; None for a headless Service.'),
    column('External-IP', 'Addresses outside the cluster.'),
    column('Port(s)', 'Ports, with node ports where there are any.'),
    ageColumn,
    column('Selector', 'Labels of the Pods behind the Service.', { wide: true }),
  ],
  (service, nowMs) => [
    nameCell(service),
    service.spec.type ?? '',
    orNone(service.spec.clusterIPs?.[0] ?? service.spec.clusterIP),
    externalAddress(service),
    orNone((service.spec.ports ?? []).map(portText).join(',')),
    ageCell(service, nowMs),
    selectorText(service.spec.selector),
  ],
);

const portText = ({ port, nodePort, protocol = 'TCP' }: ServicePort): string =>
  nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

const externalAddress = ({ spec, status }: Service): string => {
  const external = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(external.join(','));
    case 'LoadBalancer': {
      const balancer = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
      return (
        [...new Set(balancer.filter((address) => address !== ''))].sort().concat(external).join(',') || '<pending>'
      );
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
};

/** Labels as `a=1,b=2`, sorted; `<none>` for no labels. */
export const selectorText = (labels: Readonly<Record<string, string>> | undefined): string =>
  orNone(
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  );
