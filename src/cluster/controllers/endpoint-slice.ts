import {
  type EndpointSlice,
  isTerminating,
  nameOf,
  type Pod,
  type Service,
  type ServicePort,
  uidOf,
} from '../../objects/index.ts';

type Endpoint = EndpointSlice['endpoints'][number];
type Port = NonNullable<EndpointSlice['ports']>[number];

/** The one slice of a Service: every Pod it selects that has an address and is not over, in order of their names. */
export const endpointSlice = (service: Service, pods: readonly Pod[]): EndpointSlice => {
  const selected = pods.filter((pod) => pod.status?.podIP !== undefined && !isOver(pod));
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: sliceName(service),
      namespace: service.metadata.namespace,
      labels: {
        'kubernetes.io/service-name': nameOf(service),
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Service',
          name: nameOf(service),
          uid: uidOf(service),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    addressType: 'IPv4',
    endpoints: selected.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))).map((pod) => endpointOf(service, pod)),
    ports: (service.spec?.ports ?? []).map((port) => portOf(port, selected[0])),
  };
};

/** Ends in five characters of the UID, where a real one is random. */
export const sliceName = (service: Service): string => `${nameOf(service)}-${uidOf(service).slice(0, 5)}`;

const isOver = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

const endpointOf = (service: Service, pod: Pod): Endpoint => {
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
  const terminating = isTerminating(pod);
  const ready = service.spec?.publishNotReadyAddresses === true || (isReady && !terminating);
  const hasName = pod.spec.hostname !== undefined && pod.spec.subdomain === nameOf(service);
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: { ready, serving: isReady, terminating },
    ...(hasName ? { hostname: pod.spec.hostname } : {}),
    nodeName: pod.spec.nodeName,
    targetRef: { kind: 'Pod', namespace: pod.metadata.namespace, name: nameOf(pod), uid: uidOf(pod) },
  };
};

/** A target port given by name is the one that the containers of the first Pod give that name. */
const portOf = ({ name, protocol, targetPort, port }: ServicePort, pod: Pod | undefined): Port => {
  const named = pod?.spec.containers
    .flatMap((container) => container.ports ?? [])
    .find((one) => one.name === targetPort);
  const number = typeof targetPort === 'number' ? targetPort : (named?.containerPort ?? port);
  return { name: name ?? '', protocol: protocol ?? 'TCP', port: number };
};
