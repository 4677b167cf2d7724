import type { KubeObject } from '../../../../objects/index.ts';

/** An object reduced to its metadata. `apiVersion` is that of meta.k8s.io, which is how the client asked for it. */
export const partialMetadata = (object: KubeObject, apiVersion: string): KubeObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata: object.metadata,
});
