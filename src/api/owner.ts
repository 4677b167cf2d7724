import { nameOf, type OwnerReference, uidOf } from '../objects/index.ts';
import { modelServingApiVersion, modelServingResource } from './modelserving-resource.ts';
import type { ModelServing } from './types.ts';

/** Makes a child belong to the ModelServing: garbage collection deletes it too, before its owner in the foreground. */
export const ownerReferenceTo = (modelServing: ModelServing): OwnerReference => ({
  apiVersion: modelServingApiVersion,
  kind: modelServingResource.kind,
  name: nameOf(modelServing),
  uid: uidOf(modelServing),
  controller: true,
  blockOwnerDeletion: true,
});
