import type { ModelServing, PodTemplate, Role } from '../../api/index.ts';
import type { RolePlan, ServingPlan } from './plan.ts';

export const servingName = 'ms';

/** The manifest that a plan begins with, on this image. */
export const buildServing = (plan: ServingPlan, image = 'engine:v1'): ModelServing => {
  const { maxUnavailable, maxSurge, partition } = plan;
  const knobs = { maxUnavailable, maxSurge, partition };
  const byRole = plan.type === 'RoleRollingUpdate';
  return {
    apiVersion: 'workload.serving.volcano.sh/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: servingName, namespace: 'default' },
    spec: {
      replicas: plan.groups,
      schedulerName: 'default-scheduler',
      recoveryPolicy: plan.recovery,
      rolloutStrategy: {
        type: plan.type,
        updateMethod: plan.method,
        progressDeadlineSeconds: plan.deadlineSeconds,
        ...(byRole ? {} : { rollingUpdateConfiguration: knobs }),
      },
      template: {
        restartGracePeriodSeconds: plan.restartGraceSeconds,
        roles: plan.roles.map((role) => ({ ...buildRole(role, plan, image), ...(byRole ? knobs : {}) })),
      },
    },
  };
};

const buildRole = ({ name, replicas, workers }: RolePlan, plan: ServingPlan, image: string): Role => {
  const readinessProbe = { httpGet: { path: '/ready', port: 8000 }, periodSeconds: 1 };
  const template: PodTemplate = {
    spec: {
      terminationGracePeriodSeconds: plan.graceSeconds,
      containers: [{ name: 'c', image, ...(plan.hasProbe ? { readinessProbe } : {}) }],
    },
  };
  return {
    name,
    replicas,
    entryTemplate: template,
    workerReplicas: workers,
    ...(workers > 0 ? { workerTemplate: template } : {}),
  };
};
