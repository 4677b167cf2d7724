import type { Json } from '../../../objects/index.ts';
import type { CustomResource, PrinterColumn, ServedSubresource, StoredObject } from '../../server-types.ts';
import { record, records } from '../kinds/fields.ts';
import type { Kind } from '../kinds/kind.ts';
import { customStrategy } from './custom-strategy.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

/** Kinds a CRD serves, one a version; none before its names are accepted. Remembered as long as the object is. */
export const customKinds = (crd: StoredObject): readonly Kind[] => {
  const known = kindsOf.get(crd);
  if (known !== undefined) return known;
  const kinds = isEstablished(crd) ? build(crd) : [];
  kindsOf.set(crd, kinds);
  return kinds;
};

const kindsOf = new WeakMap<StoredObject, readonly Kind[]>();

export const isEstablished = (crd: StoredObject): boolean =>
  records(record(crd['status'])['conditions']).some(({ type, status }) => type === 'Established' && status === 'True');

/** Where the objects of a CRD are stored, whatever version they were written in. */
export const customStorage = (crd: StoredObject): string => {
  const spec = record(crd['spec']);
  return `${String(spec['group'])}/${String(record(spec['names'])['plural'])}`;
};

const build = (crd: StoredObject): readonly Kind[] => {
  const spec = record(crd['spec']);
  const names = record(spec['names']);
  return records(spec['versions'])
    .filter((version) => version['served'] === true)
    .map((version) => {
      const custom = customResourceOf(version);
      return {
        group: text(spec['group']),
        version: text(version['name']),
        kind: text(names['kind']),
        plural: text(names['plural']),
        singular: text(names['singular']),
        listKind: text(names['listKind']),
        shortNames: texts(names['shortNames']),
        categories: texts(names['categories']),
        namespaced: spec['scope'] === 'Namespaced',
        verbs,
        subresources: subresourcesOf(custom, text(names['kind'])),
        custom,
        storage: customStorage(crd),
        strategy: customStrategy(
          custom,
          records(version['selectableFields']).map((field) => text(field['jsonPath'])),
        ),
      };
    });
};

const customResourceOf = (version: Readonly<Record<string, unknown>>): CustomResource => {
  const subresources = record(version['subresources']);
  const scale = record(subresources['scale']);
  const selector = scale['labelSelectorPath'];
  return {
    schema: (record(version['schema'])['openAPIV3Schema'] ?? {}) as Json,
    printerColumns: records(version['additionalPrinterColumns']) as unknown as readonly PrinterColumn[],
    statusSubresource: subresources['status'] !== undefined,
    scale:
      subresources['scale'] === undefined
        ? undefined
        : {
            specReplicasPath: text(scale['specReplicasPath']),
            statusReplicasPath: text(scale['statusReplicasPath']),
            labelSelectorPath: typeof selector === 'string' ? selector : undefined,
          },
  };
};

const subresourcesOf = (custom: CustomResource, kind: string): readonly ServedSubresource[] => {
  const reading = ['get', 'patch', 'update'];
  return [
    ...(custom.statusSubresource ? [{ name: 'status', kind, verbs: reading }] : []),
    ...(custom.scale === undefined
      ? []
      : [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: reading }]),
  ];
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);
