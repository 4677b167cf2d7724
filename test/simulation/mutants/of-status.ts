import { decide } from '../../../src/rollout/index.ts';
import { type Mutant, misreports } from './mutant.ts';

export const status: readonly Mutant[] = [
  misreports('available counts one too many', (it) => ({ ...it, availableReplicas: (it.availableReplicas ?? 0) + 1 })),
  misreports('observedGeneration runs ahead', (it) => ({
    ...it,
    observedGeneration: (it.observedGeneration ?? 0) + 1,
  })),
  misreports('observedGeneration is never moved on', (it) => ({ ...it, observedGeneration: 1 })),
  misreports('currentRevision moves with the first unit', (it) => ({ ...it, currentRevision: it.updateRevision })),
  misreports('currentRevision never moves on', (it, { modelServing }) => ({
    ...it,
    currentRevision: modelServing.status?.currentRevision ?? it.currentRevision,
  })),
  misreports('Available is claimed during an update', (it) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({
      ...condition,
      status: condition.type === 'Available' ? 'True' : 'False',
    })),
  })),
  misreports('updated counts nothing', (it) => ({ ...it, updatedReplicas: 0 })),
  misreports('a transition time at every write', (it, { time }) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({
      ...condition,
      lastTransitionTime: new Date(time.wall).toISOString().replace(/\.\d+Z$/, 'Z'),
    })),
  })),
  misreports('two conditions are True', (it) => ({
    ...it,
    conditions: (it.conditions ?? []).map((condition) => ({ ...condition, status: 'True' })),
  })),
  {
    name: 'a status is never written',
    decide: (input) => ({ ...decide(input), status: undefined }),
  },
];
