import { isPlainObject, jsonEqual } from '../objects/index.ts';
import type { LeaderWorkerSet } from './leader-worker-set.ts';

/** Fields that say something and that no ModelServing is given, as kthena has it; each with its path. */
export const ignoredFields = ({ spec }: LeaderWorkerSet): readonly string[] => {
  const { leaderWorkerTemplate: template, rolloutStrategy, startupPolicy, networkConfig } = spec;
  const says: readonly (readonly [string, boolean])[] = [
    ['spec.rolloutStrategy', !isDefaultStrategy(rolloutStrategy)],
    ['spec.startupPolicy', (startupPolicy ?? 'LeaderCreated') !== 'LeaderCreated'],
    [
      'spec.networkConfig',
      !jsonEqual(networkConfig ?? {}, {}) && !jsonEqual(networkConfig, { subdomainPolicy: 'Shared' }),
    ],
    [
      'spec.leaderWorkerTemplate.restartPolicy',
      (template.restartPolicy ?? 'RecreateGroupOnPodRestart') !== 'RecreateGroupOnPodRestart',
    ],
    ['spec.leaderWorkerTemplate.subGroupPolicy', template.subGroupPolicy !== undefined],
    ['spec.leaderWorkerTemplate.volumeClaimTemplates', (template.volumeClaimTemplates ?? []).length > 0],
  ];
  return says.filter(([, isSaid]) => isSaid).map(([path]) => path);
};

/** One group at a time, no surge, no partition: what its CRD defaults, and a ModelServing does as well. */
const isDefaultStrategy = (strategy: unknown): boolean => {
  if (!isPlainObject(strategy)) return true;
  const knobs = isPlainObject(strategy['rollingUpdateConfiguration']) ? strategy['rollingUpdateConfiguration'] : {};
  const { maxUnavailable = 1, maxSurge = 0, partition = 0 } = knobs;
  return maxUnavailable === 1 && maxSurge === 0 && partition === 0;
};
