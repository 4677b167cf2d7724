import { defaultPullPolicy } from '../../../../objects/index.ts';
import type { StoredObject } from '../../../server-types.ts';
import { record, records } from '../fields.ts';
import { withFields, withoutUndefined } from '../metadata.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What an API server fills into a Pod beyond the fixed defaults of its schema: what depends on other fields
 * (core/v1/defaults.go), and what the plugin DefaultTolerationSeconds adds on every write.
 */
export const podDefaults = (pod: StoredObject): StoredObject => {
  const spec = record(pod['spec']);
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  const hostNetwork = spec['hostNetwork'] === true;
  return withFields(pod, {
    spec: withoutUndefined({
      ...spec,
      containers: records(spec['containers']).map((container) => withDefaults(container, hostNetwork)),
      initContainers:
        spec['initContainers'] && records(spec['initContainers']).map((one) => withDefaults(one, hostNetwork)),
      serviceAccountName: account,
      serviceAccount: account,
      tolerations: withDefaultTolerations(records(spec['tolerations'])),
    }),
  });
};

const withDefaults = (container: Fields, hostNetwork: boolean): Fields => {
  const { image } = container;
  const policy =
    container['imagePullPolicy'] ?? (typeof image === 'string' ? defaultPullPolicy(image) : 'IfNotPresent');
  return {
    ...container,
    resources: withRequests(record(container['resources'])),
    ...(hostNetwork && container['ports'] ? { ports: records(container['ports']).map(onHost) } : {}),
    imagePullPolicy: policy,
  };
};

/** What is limited and not requested is requested at its limit. */
const withRequests = (resources: Fields): Fields => {
  const limits = record(resources['limits']);
  if (Object.keys(limits).length === 0) return resources;
  return { ...resources, requests: { ...limits, ...record(resources['requests']) } };
};

const onHost = (port: Fields): Fields => ({ ...port, hostPort: port['hostPort'] ?? port['containerPort'] });

const withDefaultTolerations = (tolerations: readonly Fields[]): readonly Fields[] => [
  ...tolerations,
  ...['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter((key) => !tolerations.some((toleration) => toleratesNoExecute(toleration, key)))
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })),
];

const toleratesNoExecute = (toleration: Fields, key: string): boolean =>
  (toleration['key'] === key || !toleration['key']) && (toleration['effect'] === 'NoExecute' || !toleration['effect']);
