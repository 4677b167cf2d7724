import type { StoredObject } from '../../../server-types.ts';
import { readersOf, record, valueAt } from '../fields.ts';
import { withFields, withoutUndefined } from '../metadata.ts';
import { plain, type Strategy } from '../strategy.ts';
import { checkPod } from './check-pod.ts';
import { checkPodUpdate } from './check-pod-update.ts';
import { checkEphemeralContainers } from './ephemeral-containers.ts';
import { prepareNewPod } from './pod-create.ts';
import { podDefaults } from './pod-defaults.ts';

/** @param options.podGeneration false plays a server before 1.33, whose Pods have no generation */
export const podStrategy = (options: { readonly podGeneration: boolean }): Strategy => ({
  ...plain,
  generation: options.podGeneration ? 'spec' : 'none',
  statusSubresource: true,
  statusWritesMetadata: true,
  answersDeleted: true,
  defaults: podDefaults,
  prepareCreate: prepareNewPod,
  prepareUpdate: keepPriority,
  validate: checkPod,
  validateUpdate: checkPodUpdate,
  validateEphemeral: checkEphemeralContainers,
  gracePeriodOf,
  fields: {
    ...readersOf(
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
      'status.nominatedNodeName',
    ),
    'spec.hostNetwork': (pod) => String(record(pod['spec'])['hostNetwork'] === true),
  },
});

/** What is not on a node, or has ended, needs no grace (podStrategy.CheckGracefulDelete). */
const gracePeriodOf = (pod: StoredObject, asked: number | undefined): number => {
  if (!valueAt(pod, 'spec.nodeName')) return 0;
  const phase = valueAt(pod, 'status.phase');
  if (phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = valueAt(pod, 'spec.terminationGracePeriodSeconds');
  const seconds = asked ?? (typeof own === 'number' ? own : 0);
  return seconds < 0 ? 1 : seconds;
};

/** A change that says nothing of the priority keeps it (the plugin Priority). */
const keepPriority = (next: StoredObject, previous: StoredObject): StoredObject => {
  const { priority, preemptionPolicy } = record(previous['spec']);
  return withFields(next, { spec: withoutUndefined({ priority, preemptionPolicy, ...record(next['spec']) }) });
};
