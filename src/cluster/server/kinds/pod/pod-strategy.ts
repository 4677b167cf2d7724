import type { StoredObject } from '../../../server-types.ts';
import { readersOf, record, valueAt } from '../fields.ts';
import { withFields } from '../metadata.ts';
import { plain, type Strategy } from '../strategy.ts';

/** @param options.podGeneration false plays a server before 1.33, whose Pods have no generation */
export const podStrategy = (options: { readonly podGeneration: boolean }): Strategy => ({
  ...plain,
  generation: options.podGeneration ? 'spec' : 'none',
  statusSubresource: true,
  statusWritesMetadata: true,
  answersDeleted: true,
  prepareCreate: (pod) => withFields(pod, { status: { phase: 'Pending' } }),
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
