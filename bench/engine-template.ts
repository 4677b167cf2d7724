import type { ModelServing, Role } from '../src/api/index.ts';
import type { PodSpec } from '../src/objects/index.ts';

/** The Pod spec of an inference engine with a sidecar, of the size that such specs have (about 3 kB). */
export const enginePodSpec = (image: string): PodSpec => ({
  containers: ['engine', 'sidecar'].map((name) => ({
    name,
    image: name === 'engine' ? image : 'registry.example/sidecar:1',
    imagePullPolicy: 'IfNotPresent' as const,
    command: ['python', '-m', 'serve', '--model', '/models/llama', '--tensor-parallel-size', '8'],
    env: Array.from({ length: 12 }, (_, k) => ({ name: `VARIABLE_${k}`, value: `value-of-${k}` })),
    resources: { limits: { cpu: '100m', memory: '64Mi' } },
    readinessProbe: { httpGet: { path: '/health', port: 8000 }, periodSeconds: 1 },
    volumeMounts: Array.from({ length: 4 }, (_, k) => ({ name: `volume-${k}`, mountPath: `/mnt/volume-${k}` })),
  })),
  volumes: Array.from({ length: 4 }, (_, k) => ({ name: `volume-${k}`, emptyDir: {} })),
  terminationGracePeriodSeconds: 30,
  tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' as const, effect: 'NoSchedule' as const }],
});

export interface ServingOptions {
  readonly name: string;
  readonly groups: number;
  readonly roles: readonly string[];
  readonly workers: number;
  readonly image: string;
  readonly maxUnavailable?: string | number;
}

/** A ModelServing as a user would apply it: each Role one instance, an entry with its workers. */
export const aServing = (options: ServingOptions): ModelServing => {
  const template = { spec: enginePodSpec(options.image) };
  const roles = options.roles.map(
    (name): Role => ({
      name,
      replicas: 1,
      entryTemplate: template,
      workerReplicas: options.workers,
      workerTemplate: template,
    }),
  );
  return {
    apiVersion: 'workload.serving.volcano.sh/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: options.name, namespace: 'default' },
    spec: {
      replicas: options.groups,
      schedulerName: 'default-scheduler',
      rolloutStrategy: {
        type: 'ServingGroupRollingUpdate',
        updateMethod: 'InPlace',
        rollingUpdateConfiguration: { maxUnavailable: options.maxUnavailable ?? 1 },
      },
      template: { roles },
    },
  };
};
