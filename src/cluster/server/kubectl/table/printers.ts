import type { KubeObject } from '../../../../objects/index.ts';
import type { ServedResource } from '../../../server-types.ts';
import { customPrinter } from './custom-columns.ts';
import { endpointSlicePrinter, endpointsPrinter } from './endpoints.ts';
import { eventPrinter, newEventPrinter } from './events.ts';
import { nodePrinter } from './nodes.ts';
import { podPrinter } from './pods.ts';
import type { Printer } from './printer.ts';
import { servicePrinter } from './services.ts';
import {
  configMapPrinter,
  controllerRevisionPrinter,
  leasePrinter,
  namespacePrinter,
  plainPrinter,
  podDisruptionBudgetPrinter,
  scalePrinter,
  secretPrinter,
  serviceAccountPrinter,
  webhookConfigurationPrinter,
} from './small-kinds.ts';

/** By `plural.group`, `plural` for the core group. */
const builtin: Readonly<Record<string, Printer>> = {
  configmaps: configMapPrinter,
  endpoints: endpointsPrinter,
  events: eventPrinter,
  namespaces: namespacePrinter,
  nodes: nodePrinter,
  pods: podPrinter,
  secrets: secretPrinter,
  serviceaccounts: serviceAccountPrinter,
  services: servicePrinter,
  'controllerrevisions.apps': controllerRevisionPrinter,
  'endpointslices.discovery.k8s.io': endpointSlicePrinter,
  'events.events.k8s.io': newEventPrinter,
  'leases.coordination.k8s.io': leasePrinter,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationPrinter,
  'poddisruptionbudgets.policy': podDisruptionBudgetPrinter,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationPrinter,
};

/** How objects that this resource answers are shown. Its scale subresource answers an object of another kind. */
export const printerOf = (resource: ServedResource, example: KubeObject | undefined): Printer => {
  if (example?.kind === 'Scale' && resource.kind !== 'Scale') return scalePrinter;
  if (resource.custom !== undefined) return customPrinter(resource.custom.printerColumns);
  return builtin[resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`] ?? plainPrinter;
};
