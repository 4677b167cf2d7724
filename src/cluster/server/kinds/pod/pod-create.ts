import type { StoredObject } from '../../../server-types.ts';
import { forbidden } from '../../status-error.ts';
import { record, records } from '../fields.ts';
import { secondsTime, withFields } from '../metadata.ts';
import { qosClassOf } from './qos-class.ts';

/** What only a new Pod gets: its account, its priority, its first status. Throws 403 for a class nobody knows. */
export const prepareNewPod = (pod: StoredObject, { nowMs }: { readonly nowMs: number }): StoredObject => {
  const spec = record(pod['spec']);
  const account = spec['serviceAccountName'] ?? 'default';
  const priority = priorityOf(pod, String(spec['priorityClassName'] ?? ''));
  const gated = records(spec['schedulingGates']).length > 0;
  return withFields(pod, {
    spec: {
      ...spec,
      // A negative one is kept by nobody: it becomes the shortest there is.
      ...(Number(spec['terminationGracePeriodSeconds']) < 0 ? { terminationGracePeriodSeconds: 1 } : {}),
      serviceAccountName: account,
      serviceAccount: account,
      priority,
      preemptionPolicy: spec['preemptionPolicy'] ?? 'PreemptLowerPriority',
    },
    status: {
      phase: 'Pending',
      ...(gated ? { conditions: [gatedCondition(nowMs)] } : {}),
      qosClass: qosClassOf(spec),
    },
  });
};

/** The classes every cluster has. There are no others here. */
const priorities: Readonly<Record<string, number>> = {
  '': 0,
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

const priorityOf = (pod: StoredObject, className: string): number => {
  const priority = Object.hasOwn(priorities, className) ? priorities[className] : undefined;
  if (priority !== undefined) return priority;
  const name = pod.metadata.name ?? '';
  throw forbidden({ group: '', name: 'pods' }, name, `no PriorityClass with name ${className} was found`);
};

const gatedCondition = (nowMs: number): unknown => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: secondsTime(nowMs),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});
