import type { Message } from './message.ts';

// Field numbers from k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto. They are wire format: they never change.

const ownerReference: Message = {
  kind: [1, 'string'],
  name: [3, 'string'],
  uid: [4, 'string'],
  apiVersion: [5, 'string'],
  controller: [6, 'boolean?'],
  blockOwnerDeletion: [7, 'boolean?'],
};

const managedFieldsEntry: Message = {
  manager: [1, 'string'],
  operation: [2, 'string'],
  apiVersion: [3, 'string'],
  time: [4, 'time'],
  fieldsType: [6, 'string'],
  fieldsV1: [7, 'json'],
  subresource: [8, 'string'],
};

export const objectMeta: Message = {
  name: [1, 'string'],
  generateName: [2, 'string'],
  namespace: [3, 'string'],
  uid: [5, 'string'],
  resourceVersion: [6, 'string'],
  generation: [7, 'integer'],
  creationTimestamp: [8, 'time'],
  deletionTimestamp: [9, 'time'],
  deletionGracePeriodSeconds: [10, 'integer?'],
  labels: [11, { map: 'string' }],
  annotations: [12, { map: 'string' }],
  ownerReferences: [13, { list: { message: ownerReference } }],
  finalizers: [14, { list: 'string' }],
  managedFields: [17, { list: { message: managedFieldsEntry } }],
};

const labelSelectorRequirement: Message = {
  key: [1, 'string'],
  operator: [2, 'string'],
  values: [3, { list: 'string' }],
};

export const labelSelector: Message = {
  matchLabels: [1, { map: 'string' }],
  matchExpressions: [2, { list: { message: labelSelectorRequirement } }],
};

export const selectorAttributes: Message = {
  rawSelector: [1, 'string'],
  requirements: [2, { list: { message: labelSelectorRequirement } }],
};

export const condition: Message = {
  type: [1, 'string'],
  status: [2, 'string'],
  observedGeneration: [3, 'integer'],
  lastTransitionTime: [4, 'time'],
  reason: [5, 'string'],
  message: [6, 'string'],
};

export const deleteOptions: Message = {
  gracePeriodSeconds: [1, 'integer?'],
  preconditions: [2, { message: { uid: [1, 'string?'], resourceVersion: [2, 'string?'] } }],
  orphanDependents: [3, 'boolean?'],
  propagationPolicy: [4, 'string?'],
  dryRun: [5, { list: 'string' }],
};
