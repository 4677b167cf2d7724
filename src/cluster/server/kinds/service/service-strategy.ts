import { readersOf, record } from '../fields.ts';
import { withFields, withoutUndefined } from '../metadata.ts';
import { plain, type Strategy } from '../strategy.ts';
import { allocate } from './allocate.ts';
import { checkService, checkServiceUpdate } from './check-service.ts';
import { serviceDefaults } from './service-defaults.ts';

export const serviceStrategy: Strategy = {
  ...plain,
  nameRule: 'label1035',
  statusSubresource: true,
  statusWritesMetadata: true,
  answersDeleted: true,
  defaults: serviceDefaults,
  prepareCreate: (service, { list }) =>
    withFields(service, {
      spec: allocate(record(service['spec']), list('services')),
      status: { loadBalancer: {} },
    }),
  prepareUpdate: (next, previous) =>
    withFields(next, { spec: keepAllocated(record(next['spec']), record(previous['spec'])) }),
  validate: checkService,
  validateUpdate: checkServiceUpdate,
  fields: readersOf('spec.clusterIP', 'spec.type'),
};

/** What the server gave to a Service stays, when an update does not mention it (patchAllocatedValues). */
const keepAllocated = (
  next: Readonly<Record<string, unknown>>,
  previous: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  if (next['type'] === 'ExternalName' || previous['type'] === 'ExternalName') return next;
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy } = previous;
  return withoutUndefined({ clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, ...next });
};
