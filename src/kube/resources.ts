import type {
  ConfigMap,
  ControllerRevision,
  CustomResourceDefinition,
  EndpointSlice,
  Event,
  KubeObject,
  Lease,
  MutatingWebhookConfiguration,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  ValidatingWebhookConfiguration,
} from '../objects/index.ts';
import type { Resource } from './resource.ts';

/** The built-in kinds that the kit and its users speak of, by plural. */
interface BuiltinKinds {
  readonly pods: Pod;
  readonly services: Service;
  readonly events: Event;
  readonly configmaps: ConfigMap;
  readonly secrets: Secret;
  readonly nodes: Node;
  readonly namespaces: Namespace;
  readonly controllerrevisions: ControllerRevision;
  readonly leases: Lease;
  readonly endpointslices: EndpointSlice;
  readonly customresourcedefinitions: CustomResourceDefinition;
  readonly validatingwebhookconfigurations: ValidatingWebhookConfiguration;
  readonly mutatingwebhookconfigurations: MutatingWebhookConfiguration;
}

const inNamespaces = <T extends KubeObject>(group: string, plural: string, kind: string): Resource<T> => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

const ofCluster = <T extends KubeObject>(group: string, plural: string, kind: string): Resource<T> => ({
  ...inNamespaces<T>(group, plural, kind),
  namespaced: false,
});

const admission = 'admissionregistration.k8s.io';

/** Resource descriptors of built-in kinds: `client.get(resources.pods, { namespace, name })` is a Pod. */
export const resources: { readonly [P in keyof BuiltinKinds]: Resource<BuiltinKinds[P]> } = {
  pods: inNamespaces('', 'pods', 'Pod'),
  services: inNamespaces('', 'services', 'Service'),
  events: inNamespaces('', 'events', 'Event'),
  configmaps: inNamespaces('', 'configmaps', 'ConfigMap'),
  secrets: inNamespaces('', 'secrets', 'Secret'),
  nodes: ofCluster('', 'nodes', 'Node'),
  namespaces: ofCluster('', 'namespaces', 'Namespace'),
  controllerrevisions: inNamespaces('apps', 'controllerrevisions', 'ControllerRevision'),
  leases: inNamespaces('coordination.k8s.io', 'leases', 'Lease'),
  endpointslices: inNamespaces('discovery.k8s.io', 'endpointslices', 'EndpointSlice'),
  customresourcedefinitions: ofCluster('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition'),
  validatingwebhookconfigurations: ofCluster(
    admission,
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
  ),
  mutatingwebhookconfigurations: ofCluster(admission, 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'),
};
