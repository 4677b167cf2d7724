import { identityLabels, podGroupNameAnnotation, podStateAnnotations, taskSpecAnnotation } from '../api/index.ts';
import type { ObjectMeta, Pod } from '../objects/index.ts';

type Entries = Readonly<Record<string, string>>;

/**
 * The changed Pod with everything by which the operator knows it as it was rendered: name, namespace, owner, the labels
 * that say which Pod it is, its own annotations. A plugin may change the rest.
 */
export const keepIdentity = (rendered: Pod, changed: Pod): Pod => ({
  ...changed,
  apiVersion: rendered.apiVersion,
  kind: rendered.kind,
  metadata: {
    ...changed.metadata,
    name: rendered.metadata.name,
    namespace: rendered.metadata.namespace,
    ownerReferences: rendered.metadata.ownerReferences,
    labels: { ...without(changed.metadata.labels, identityLabels), ...only(rendered.metadata.labels, identityLabels) },
    annotations: annotationsOf(rendered.metadata, changed.metadata),
  },
});

const annotationsOf = (rendered: ObjectMeta, changed: ObjectMeta): Entries => ({
  ...without(changed.annotations, podStateAnnotations),
  ...only(rendered.annotations, [...podStateAnnotations, podGroupNameAnnotation, taskSpecAnnotation]),
});

const only = (entries: Entries | undefined, keys: readonly string[]): Entries =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => keys.includes(key)));

const without = (entries: Entries | undefined, keys: readonly string[]): Entries =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => !keys.includes(key)));
