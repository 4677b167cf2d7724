import type { StoredObject } from '../../../server-types.ts';
import { record, records } from '../fields.ts';
import { withFields } from '../metadata.ts';

/** What depends on other fields (core/v1/defaults.go, SetDefaults_Service). */
export const serviceDefaults = (service: StoredObject): StoredObject => {
  const spec = record(service['spec']);
  const type = spec['type'] ?? 'ClusterIP';
  const external = type === 'NodePort' || type === 'LoadBalancer';
  return withFields(service, {
    spec: {
      ...spec,
      ...(spec['ports'] === undefined ? {} : { ports: records(spec['ports']).map(withTarget) }),
      type,
      ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: spec['internalTrafficPolicy'] ?? 'Cluster' }),
      ...(external ? { externalTrafficPolicy: spec['externalTrafficPolicy'] ?? 'Cluster' } : {}),
      ...(type === 'LoadBalancer'
        ? { allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'] ?? true }
        : {}),
    },
  });
};

const withTarget = (port: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...port,
  targetPort: port['targetPort'] || port['port'],
});
