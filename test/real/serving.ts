import { registry } from '../../tools/control-plane/images.ts';
import type { KubeObject } from './api.ts';

export interface ServingOptions {
  readonly name: string;
  /** Tag of the engine image. */
  readonly image: string;
  /** Where the engine image is pulled from. Default: it is on the node already. */
  readonly repository?: string;
  readonly graceSeconds?: number;
  /** Containers that take their whole grace period to die. */
  readonly ignoreTerm?: boolean;
  readonly progressDeadlineSeconds?: number;
  /** One group of two role instances without workers, rolled out instance by instance. Default: two groups of two Pods. */
  readonly byRole?: boolean;
}

interface Template {
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
}

export interface LiveServing extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly roles: readonly {
        readonly replicas: number;
        readonly workerReplicas: number;
        readonly entryTemplate: Template;
        readonly workerTemplate?: Template;
      }[];
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A ModelServing of engines that are Ready as soon as they have started, updated in place, one unit at a time. */
export const serving = (options: ServingOptions): object => {
  const {
    name,
    image,
    repository = `${registry}/engine`,
    graceSeconds = 3,
    ignoreTerm = false,
    byRole = false,
  } = options;
  const template = {
    spec: {
      terminationGracePeriodSeconds: graceSeconds,
      containers: [
        {
          name: 'engine',
          image: `${repository}:${image}`,
          imagePullPolicy: 'IfNotPresent',
          env: ignoreTerm ? [{ name: 'IGNORE_TERM', value: '1' }] : [],
          readinessProbe: { exec: { command: ['test', '-f', '/tmp/ready'] }, periodSeconds: 1 },
        },
      ],
    },
  };
  const role = byRole
    ? { name: 'r', replicas: 2, workerReplicas: 0, entryTemplate: template }
    : { name: 'r', replicas: 1, workerReplicas: 1, entryTemplate: template, workerTemplate: template };
  return {
    apiVersion: 'workload.serving.volcano.sh/v1alpha1',
    kind: 'ModelServing',
    metadata: { name },
    spec: {
      replicas: byRole ? 1 : 2,
      recoveryPolicy: 'RoleRecreate',
      rolloutStrategy: {
        type: byRole ? 'RoleRollingUpdate' : 'ServingGroupRollingUpdate',
        updateMethod: 'InPlace',
        ...(options.progressDeadlineSeconds === undefined
          ? {}
          : { progressDeadlineSeconds: options.progressDeadlineSeconds }),
      },
      template: { roles: [role] },
    },
  };
};

/** A JSON patch that sets the tag of the image in every template. */
export const imagePatch = (object: LiveServing, tag: string): object[] =>
  object.spec.template.roles.flatMap((role, index) =>
    (['entryTemplate', 'workerTemplate'] as const).flatMap((template) => {
      const image = role[template]?.spec.containers[0]?.image;
      if (image === undefined) return [];
      const path = `/spec/template/roles/${index}/${template}/spec/containers/0/image`;
      return [{ op: 'replace', path, value: image.replace(/:[^:/]*$/, `:${tag}`) }];
    }),
  );

/** The VERSION of the image that the ModelServing asks for: two tags name the same one. */
export const wantedVersion = (object: LiveServing): string => {
  const tag = object.spec.template.roles[0]?.entryTemplate.spec.containers[0]?.image.split(':').at(-1) ?? '';
  return tag === 'v1-alias' ? 'v1' : tag;
};

export const condition = (object: LiveServing, type: string): Condition | undefined =>
  object.status?.conditions?.find((entry) => entry.type === type);

/** What the status says of the newest edit: all groups are on it, and nothing is under way. */
export const claimsRolledOut = (object: LiveServing): boolean =>
  object.status?.observedGeneration === object.metadata.generation &&
  object.status?.updatedReplicas === object.spec.replicas &&
  object.status?.availableReplicas === object.spec.replicas &&
  condition(object, 'UpdateInProgress')?.status !== 'True';
