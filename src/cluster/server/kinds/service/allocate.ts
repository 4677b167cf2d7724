import type { StoredObject } from '../../../server-types.ts';
import { record, records } from '../fields.ts';
import { withoutUndefined } from '../metadata.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A new Service's address and node ports: the first free ones of 10.96.0.0/16 and 30000 to 32767. Headless Services
 * have none; one without selector is ready for both families, as a real server makes it.
 */
export const allocate = (spec: Fields, services: readonly StoredObject[]): Fields => {
  if (spec['type'] === 'ExternalName') return spec;
  const given = spec['clusterIP'] ?? (Array.isArray(spec['clusterIPs']) ? spec['clusterIPs'][0] : undefined);
  const clusterIP = given ?? firstFree(addresses, usedAddresses(services));
  const both = clusterIP === 'None' && spec['selector'] === undefined;
  return withoutUndefined({
    ...spec,
    ports: spec['ports'] === undefined ? undefined : withNodePorts(spec, services),
    clusterIP,
    clusterIPs: spec['clusterIPs'] ?? [clusterIP],
    ipFamilies: spec['ipFamilies'] ?? (both ? ['IPv4', 'IPv6'] : ['IPv4']),
    ipFamilyPolicy: spec['ipFamilyPolicy'] ?? (both ? 'RequireDualStack' : 'SingleStack'),
  });
};

// 10.96.0.1 is the API server's own; the lowest addresses are left to Services that ask for one.
const addresses = function* (): Generator<string> {
  for (let third = 1; third < 256; third += 1) {
    for (let fourth = 1; fourth < 255; fourth += 1) yield `10.96.${third}.${fourth}`;
  }
};

const nodePorts = function* (): Generator<number> {
  for (let port = 30_000; port <= 32_767; port += 1) yield port;
};

const firstFree = <T>(candidates: () => Generator<T>, used: ReadonlySet<unknown>): T => {
  for (const candidate of candidates()) if (!used.has(candidate)) return candidate;
  throw new Error('range is full');
};

const usedAddresses = (services: readonly StoredObject[]): ReadonlySet<unknown> =>
  new Set(services.map((service) => record(service['spec'])['clusterIP']));

const withNodePorts = (spec: Fields, services: readonly StoredObject[]): readonly Fields[] => {
  const ports = records(spec['ports']);
  const wanted =
    spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
  if (!wanted) return ports;
  const used = new Set<unknown>(
    services.flatMap((service) => records(record(service['spec'])['ports']).map((port) => port['nodePort'])),
  );
  return ports.map((port) => {
    const nodePort = port['nodePort'] ?? firstFree(nodePorts, used);
    used.add(nodePort);
    return { ...port, nodePort };
  });
};
