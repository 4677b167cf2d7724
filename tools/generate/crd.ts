import { modelServingSchema } from './model-serving-schema.ts';
import type { SchemaSet } from './schema-set.ts';
import { structuralSchema } from './structural-schema.ts';

const column = (name: string, type: string, jsonPath: string, description?: string): object => ({
  name,
  type,
  jsonPath,
  ...(description === undefined ? {} : { description }),
});

/** The CustomResourceDefinition of ModelServing, whole. */
export const modelServingCrd = (set: SchemaSet): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'modelservings.workload.serving.volcano.sh' },
  spec: {
    group: 'workload.serving.volcano.sh',
    names: {
      kind: 'ModelServing',
      listKind: 'ModelServingList',
      plural: 'modelservings',
      singular: 'modelserving',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        additionalPrinterColumns: [
          column('Replicas', 'integer', '.status.replicas', 'ServingGroups that exist'),
          column('Available', 'integer', '.status.availableReplicas', 'ServingGroups that are ready'),
          column('Updated', 'integer', '.status.updatedReplicas', 'ServingGroups at the newest revision'),
          column('Age', 'date', '.metadata.creationTimestamp'),
        ],
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.labelSelector',
          },
        },
        schema: { openAPIV3Schema: modelServingSchema(structuralSchema(set, 'io.k8s.api.core.v1.PodSpec')) },
      },
    ],
  },
});
