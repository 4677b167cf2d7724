import { crdStrategy } from '../custom/crd-strategy.ts';
import type { Strategies } from '../registry/builtin-table.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { eventStrategy } from './event.ts';
import { namespaceStrategy } from './namespace.ts';
import { podStrategy } from './pod/pod-strategy.ts';
import { serviceStrategy } from './service/service-strategy.ts';
import {
  configMapStrategy,
  disruptionBudgetStrategy,
  endpointSliceStrategy,
  leaseStrategy,
  nodeStrategy,
  secretStrategy,
  webhookConfigurationStrategy,
} from './small-kinds.ts';
import { plain } from './strategy.ts';

export interface StrategyOptions {
  /** Whether Pods have a generation. */
  readonly podGeneration: boolean;
}

/** The rules of every built-in kind. */
export const strategiesOf = (options: StrategyOptions): Strategies => ({
  configmaps: configMapStrategy,
  endpoints: { ...plain, createOnUpdate: true },
  events: eventStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  pods: podStrategy(options),
  secrets: secretStrategy,
  serviceaccounts: { ...plain, answersDeleted: true },
  services: serviceStrategy,
  controllerrevisions: controllerRevisionStrategy,
  poddisruptionbudgets: disruptionBudgetStrategy,
  mutatingwebhookconfigurations: webhookConfigurationStrategy,
  validatingwebhookconfigurations: webhookConfigurationStrategy,
  customresourcedefinitions: crdStrategy,
  leases: leaseStrategy,
  endpointslices: endpointSliceStrategy,
});
