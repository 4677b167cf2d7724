import { crdStrategy } from '../custom/crd-strategy.ts';
import type { Strategies } from '../registry/builtin-table.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { readersOf } from './fields.ts';
import { namespaceStrategy } from './namespace.ts';
import { podStrategy } from './pod/pod-strategy.ts';
import { plain, type Strategy } from './strategy.ts';

export interface StrategyOptions {
  /** Whether Pods have a generation. */
  readonly podGeneration: boolean;
}

/** The rules of every built-in kind. */
export const strategiesOf = (options: StrategyOptions): Strategies => ({
  configmaps: plain,
  endpoints: { ...plain, createOnUpdate: true },
  events: eventStrategy,
  namespaces: namespaceStrategy,
  nodes: nodeStrategy,
  pods: podStrategy(options),
  secrets: { ...plain, fields: readersOf('type') },
  serviceaccounts: { ...plain, answersDeleted: true },
  services: {
    ...plain,
    nameRule: 'label1035',
    statusSubresource: true,
    statusWritesMetadata: true,
    answersDeleted: true,
  },
  controllerrevisions: controllerRevisionStrategy,
  poddisruptionbudgets: { ...plain, generation: 'spec', statusSubresource: true, statusWritesMetadata: true },
  mutatingwebhookconfigurations: { ...plain, generation: 'content' },
  validatingwebhookconfigurations: { ...plain, generation: 'content' },
  customresourcedefinitions: crdStrategy,
  leases: { ...plain, createOnUpdate: true },
  endpointslices: { ...plain, generation: 'content' },
});

const nodeStrategy: Strategy = {
  ...plain,
  statusSubresource: true,
  createKeepsStatus: true,
  statusWritesMetadata: true,
  fields: readersOf('spec.unschedulable'),
};

const eventStrategy: Strategy = {
  ...plain,
  nameRule: 'path',
  createOnUpdate: true,
  fields: readersOf(
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ),
};
