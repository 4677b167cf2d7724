import type { Message } from './message.ts';
import { condition, deleteOptions, labelSelector, objectMeta, selectorAttributes } from './meta-messages.ts';
import { service } from './service-message.ts';

// Field numbers from the generated.proto of each group in k8s.io/api.

const metadata: Message[string] = [1, { message: objectMeta }];

const objectReference: Message = {
  kind: [1, 'string'],
  namespace: [2, 'string'],
  name: [3, 'string'],
  uid: [4, 'string'],
  apiVersion: [5, 'string'],
  resourceVersion: [6, 'string'],
  fieldPath: [7, 'string'],
};

const namespace: Message = {
  metadata,
  spec: [2, { message: { finalizers: [1, { list: 'string' }] } }],
  status: [3, { message: { phase: [1, 'string'] } }],
};

const configMap: Message = {
  metadata,
  data: [2, { map: 'string' }],
  binaryData: [3, { map: 'bytes' }],
  immutable: [4, 'boolean?'],
};

const secret: Message = {
  metadata,
  data: [2, { map: 'bytes' }],
  type: [3, 'string'],
  stringData: [4, { map: 'string' }],
  immutable: [5, 'boolean?'],
};

const serviceAccount: Message = {
  metadata,
  secrets: [2, { list: { message: objectReference } }],
  imagePullSecrets: [3, { list: { message: { name: [1, 'string'] } } }],
  automountServiceAccountToken: [4, 'boolean?'],
};

const event: Message = {
  metadata,
  involvedObject: [2, { message: objectReference }],
  reason: [3, 'string'],
  message: [4, 'string'],
  source: [5, { message: { component: [1, 'string'], host: [2, 'string'] } }],
  firstTimestamp: [6, 'time'],
  lastTimestamp: [7, 'time'],
  count: [8, 'integer'],
  type: [9, 'string'],
  eventTime: [10, 'microTime'],
  series: [11, { message: { count: [1, 'integer'], lastObservedTime: [2, 'microTime'] } }],
  action: [12, 'string'],
  related: [13, { message: objectReference }],
  reportingComponent: [14, 'string?'],
  reportingInstance: [15, 'string?'],
};

const lease: Message = {
  metadata,
  spec: [
    2,
    {
      message: {
        holderIdentity: [1, 'string?'],
        leaseDurationSeconds: [2, 'integer?'],
        acquireTime: [3, 'microTime'],
        renewTime: [4, 'microTime'],
        leaseTransitions: [5, 'integer?'],
        strategy: [6, 'string?'],
        preferredHolder: [7, 'string?'],
      },
    },
  ],
};

const podDisruptionBudget: Message = {
  metadata,
  spec: [
    2,
    {
      message: {
        minAvailable: [1, 'intOrString'],
        selector: [2, { message: labelSelector }],
        maxUnavailable: [3, 'intOrString'],
        unhealthyPodEvictionPolicy: [4, 'string?'],
      },
    },
  ],
  status: [
    3,
    {
      message: {
        observedGeneration: [1, 'integer'],
        disruptedPods: [2, { map: 'time' }],
        disruptionsAllowed: [3, 'integer?'],
        currentHealthy: [4, 'integer?'],
        desiredHealthy: [5, 'integer?'],
        expectedPods: [6, 'integer?'],
        conditions: [7, { list: { message: condition } }],
      },
    },
  ],
};

const selfSubjectAccessReview: Message = {
  metadata,
  spec: [
    2,
    {
      message: {
        resourceAttributes: [
          1,
          {
            message: {
              namespace: [1, 'string'],
              verb: [2, 'string'],
              group: [3, 'string'],
              version: [4, 'string'],
              resource: [5, 'string'],
              subresource: [6, 'string'],
              name: [7, 'string'],
              fieldSelector: [8, { message: selectorAttributes }],
              labelSelector: [9, { message: selectorAttributes }],
            },
          },
        ],
        nonResourceAttributes: [2, { message: { path: [1, 'string'], verb: [2, 'string'] } }],
      },
    },
  ],
};

/** By `apiVersion/kind`: what Go clients send to this cluster in protobuf. DeleteOptions has no one apiVersion. */
export const kindMessages: Readonly<Record<string, Message>> = {
  'v1/Namespace': namespace,
  'v1/ConfigMap': configMap,
  'v1/Secret': secret,
  'v1/ServiceAccount': serviceAccount,
  'v1/Service': service,
  'v1/Event': event,
  'v1/Binding': { metadata, target: [2, { message: objectReference }] },
  'coordination.k8s.io/v1/Lease': lease,
  'policy/v1/PodDisruptionBudget': podDisruptionBudget,
  'policy/v1/Eviction': { metadata, deleteOptions: [2, { message: deleteOptions }] },
  'authorization.k8s.io/v1/SelfSubjectAccessReview': selfSubjectAccessReview,
  'authorization.k8s.io/v1/SelfSubjectRulesReview': { metadata, spec: [2, { message: { namespace: [1, 'string'] } }] },
  'authentication.k8s.io/v1/SelfSubjectReview': { metadata },
};
