import type { ModelServing } from '../../src/api/index.ts';
import { type ControllerRevision, deepFreeze, stringifyAsGo } from '../../src/objects/index.ts';
import { type RevisionData, readRevision } from '../../src/revision/index.ts';

/** Two Roles, prefill with one worker and decode without. */
export const aModelServing = (edit: Partial<ModelServing['spec']> = {}, image = 'engine:v1'): ModelServing =>
  deepFreeze({
    metadata: { name: 'llm', namespace: 'fx', uid: 'uid-1' },
    spec: {
      replicas: 4,
      schedulerName: 'default-scheduler',
      template: {
        roles: [
          {
            name: 'prefill',
            replicas: 2,
            maxUnavailable: 1,
            workerReplicas: 1,
            entryTemplate: {
              metadata: { labels: { app: 'llm' } },
              spec: {
                containers: [
                  {
                    name: 'engine',
                    image,
                    args: ['sh', '-c', 'a && b < c > d'],
                    env: [{ name: 'WORKER_INDEX', value: 'mine' }],
                    resources: { limits: { memory: '4Gi' } },
                  },
                ],
              },
            },
            workerTemplate: { metadata: {}, spec: { containers: [{ name: 'engine', image }] } },
          },
          {
            name: 'decode',
            replicas: 1,
            workerReplicas: 0,
            entryTemplate: { spec: { containers: [{ name: 'engine', image }] } },
          },
        ],
      },
      ...edit,
    },
  });

/** As it is after the API server stored it. */
export const stored = (revision: ControllerRevision, resourceVersion = '1'): ControllerRevision => ({
  ...(JSON.parse(stringifyAsGo(revision)) as ControllerRevision),
  metadata: { ...revision.metadata, resourceVersion, uid: `uid-${resourceVersion}` },
});

export const dataOf = (revision: ControllerRevision): RevisionData => {
  const reading = readRevision(revision);
  if (reading.state === 'unreadable') throw new Error(reading.why);
  return reading.data;
};
