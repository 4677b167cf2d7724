import type { Json } from '../../src/objects/index.ts';

type Defaults = Readonly<Record<string, Json>>;

const container: Defaults = {
  // A struct without omitempty in Go: the server shows it even where it is empty.
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const fileMode: Defaults = { defaultMode: 0o644 };
const webhook: Defaults = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/**
 * What an API server 1.34 fills in by code and no OpenAPI document says (pkg/apis/<group>/v1/defaults.go), as far as
 * the value depends on nothing else. What does depend (imagePullPolicy on the tag, requests on limits, targetPort on
 * port) is left to whoever plays the server.
 */
export const serverDefaults: Readonly<Record<string, Defaults>> = {
  'io.k8s.api.core.v1.Container': container,
  'io.k8s.api.core.v1.EphemeralContainer': container,
  'io.k8s.api.core.v1.PodSpec': {
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  },
  'io.k8s.api.core.v1.Probe': { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 },
  'io.k8s.api.core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'io.k8s.api.core.v1.GRPCAction': { service: '' },
  'io.k8s.api.core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'io.k8s.api.core.v1.FileKeySelector': { optional: false },
  'io.k8s.api.core.v1.AzureDiskVolumeSource': { readOnly: false },
  'io.k8s.api.core.v1.ConfigMapVolumeSource': fileMode,
  'io.k8s.api.core.v1.DownwardAPIVolumeSource': fileMode,
  'io.k8s.api.core.v1.HostPathVolumeSource': { type: '' },
  'io.k8s.api.core.v1.ProjectedVolumeSource': fileMode,
  'io.k8s.api.core.v1.SecretVolumeSource': fileMode,
  'io.k8s.api.core.v1.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'io.k8s.api.core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'io.k8s.api.core.v1.EndpointPort': { protocol: 'TCP' },
  'io.k8s.api.core.v1.NamespaceStatus': { phase: 'Active' },
  'io.k8s.api.core.v1.Secret': { type: 'Opaque' },
  'io.k8s.api.core.v1.ServiceSpec': { sessionAffinity: 'None', type: 'ClusterIP' },
  'io.k8s.api.discovery.v1.EndpointPort': { name: '', protocol: 'TCP' },
  'io.k8s.api.admissionregistration.v1.MutatingWebhook': { ...webhook, reinvocationPolicy: 'Never' },
  'io.k8s.api.admissionregistration.v1.ValidatingWebhook': webhook,
  'io.k8s.api.admissionregistration.v1.RuleWithOperations': { scope: '*' },
  'io.k8s.api.admissionregistration.v1.ServiceReference': { port: 443 },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec': {
    conversion: { strategy: 'None' },
  },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference': { port: 443 },
};
