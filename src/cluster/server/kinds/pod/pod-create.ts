import type { StoredObject } from '../../../server-types.ts';
import { record, records } from '../fields.ts';
import { secondsTime, withFields } from '../metadata.ts';
import { qosClassOf } from './qos-class.ts';

/** What only a new Pod gets: its account, its priority, its first status. */
export const prepareNewPod = (pod: StoredObject, { nowMs }: { readonly nowMs: number }): StoredObject => {
  const spec = record(pod['spec']);
  const account = spec['serviceAccountName'] ?? 'default';
  const priority = priorities[String(spec['priorityClassName'] ?? '')];
  const gated = records(spec['schedulingGates']).length > 0;
  return withFields(pod, {
    spec: {
      ...spec,
      serviceAccountName: account,
      serviceAccount: account,
      ...(priority === undefined ? {} : { priority }),
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

export const isKnownPriorityClass = (name: string): boolean => Object.hasOwn(priorities, name);

const gatedCondition = (nowMs: number): unknown => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: secondsTime(nowMs),
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});
