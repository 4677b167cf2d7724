/** What clients need to address ModelServings. */
export const modelServingResource: {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
} = {
  group: 'workload.serving.volcano.sh',
  version: 'v1alpha1',
  plural: 'modelservings',
  kind: 'ModelServing',
  namespaced: true,
};

/** As objects and owner references carry it. */
export const modelServingApiVersion: string = `${modelServingResource.group}/${modelServingResource.version}`;
