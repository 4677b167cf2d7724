import type {
  ConfigMap,
  ControllerRevision,
  KubeObject,
  Lease,
  MutatingWebhookConfiguration,
  Namespace,
  PodDisruptionBudget,
  Scale,
  Secret,
  ServiceAccount,
  ValidatingWebhookConfiguration,
} from '../../../../objects/index.ts';
import { controllerOf } from '../../../../objects/index.ts';
import { column, nameCell, nameColumn, namedPrinter, type Printer, printerFor } from './printer.ts';

const count = (fields: object | undefined): number => Object.keys(fields ?? {}).length;
const integer = { type: 'integer' };

export const namespacePrinter: Printer = namedPrinter<Namespace>(
  [column('Status', 'Active or Terminating.')],
  (namespace) => [namespace.status?.phase ?? ''],
);

export const configMapPrinter: Printer = namedPrinter<ConfigMap>([column('Data', 'Number of keys.')], (configMap) => [
  count(configMap.data) + count(configMap.binaryData),
]);

export const secretPrinter: Printer = namedPrinter<Secret>(
  [column('Type', 'What the Secret is for.'), column('Data', 'Number of keys.')],
  (secret) => [secret.type ?? '', count(secret.data)],
);

export const serviceAccountPrinter: Printer = namedPrinter<ServiceAccount>(
  [column('Secrets', 'Number of Secrets.')],
  (account) => [account.secrets?.length ?? 0],
);

export const leasePrinter: Printer = namedPrinter<Lease>([column('Holder', 'Who holds the Lease.')], (lease) => [
  lease.spec?.holderIdentity ?? '',
]);

export const controllerRevisionPrinter: Printer = namedPrinter<ControllerRevision>(
  [column('Controller', 'What the revision belongs to.'), column('Revision', 'Number of the revision.')],
  (revision) => [controllerText(revision), revision.revision],
);

/** `statefulset.apps/web`: kind and group in lower case, the core group left out. */
const controllerText = (object: KubeObject): string => {
  const owner = controllerOf(object);
  if (owner === undefined) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/', 1).join('')}` : '';
  return `${owner.kind}${group}`.toLowerCase().concat('/', owner.name);
};

export const podDisruptionBudgetPrinter: Printer = namedPrinter<PodDisruptionBudget>(
  [
    column('Min Available', 'How many Pods must stay available.'),
    column('Max Unavailable', 'How many Pods may be unavailable.'),
    column('Allowed Disruptions', 'How many Pods may be evicted now.', integer),
  ],
  ({ spec, status }) => [
    String(spec?.minAvailable ?? 'N/A'),
    String(spec?.maxUnavailable ?? 'N/A'),
    status?.disruptionsAllowed ?? 0,
  ],
);

export const webhookConfigurationPrinter: Printer = namedPrinter<
  ValidatingWebhookConfiguration | MutatingWebhookConfiguration
>([column('Webhooks', 'Number of webhooks.', integer)], (configuration) => [configuration.webhooks?.length ?? 0]);

export const scalePrinter: Printer = namedPrinter<Scale>(
  [column('Desired', 'Wanted replicas.', integer), column('Available', 'Replicas that exist.', integer)],
  ({ spec, status }) => [spec?.replicas ?? 0, status?.replicas ?? 0],
);

/** What the API server shows of kinds it has no columns for, CustomResourceDefinitions among them. */
export const plainPrinter: Printer = printerFor(
  [nameColumn, column('Created At', 'When the object was created.', { type: 'date' })],
  (object) => [nameCell(object), object.metadata.creationTimestamp ?? ''],
);
