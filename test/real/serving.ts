import { registry } from '../../tools/control-plane/images.ts';
import type { KubeObject } from './api.ts';

export interface ServingOptions {
  readonly name: string;
  readonly image: string;
  readonly graceSeconds?: number;
  /** Containers that take their whole grace period to die. */
  readonly ignoreTerm?: boolean;
}

export interface LiveServing extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly roles: readonly {
        readonly entryTemplate: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
      }[];
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export const engine = (tag: string): string => `${registry}/engine:${tag}`;

/** Two groups, one Role with one entry Pod and one worker each, updated in place one group at a time. */
export const serving = ({ name, image, graceSeconds = 3, ignoreTerm = false }: ServingOptions): object => {
  const template = {
    spec: {
      terminationGracePeriodSeconds: graceSeconds,
      containers: [
        {
          name: 'engine',
          image: engine(image),
          imagePullPolicy: 'IfNotPresent',
          env: ignoreTerm ? [{ name: 'IGNORE_TERM', value: '1' }] : [],
          readinessProbe: { exec: { command: ['test', '-f', '/tmp/ready'] }, periodSeconds: 1 },
        },
      ],
    },
  };
  return {
    apiVersion: 'workload.serving.volcano.sh/v1alpha1',
    kind: 'ModelServing',
    metadata: { name },
    spec: {
      replicas: 2,
      recoveryPolicy: 'RoleRecreate',
      rolloutStrategy: { type: 'ServingGroupRollingUpdate', updateMethod: 'InPlace' },
      template: {
        roles: [{ name: 'r', replicas: 1, workerReplicas: 1, entryTemplate: template, workerTemplate: template }],
      },
    },
  };
};

/** A JSON patch that sets the image of both templates. */
export const imagePatch = (image: string): object[] =>
  ['entryTemplate', 'workerTemplate'].map((template) => ({
    op: 'replace',
    path: `/spec/template/roles/0/${template}/spec/containers/0/image`,
    value: engine(image),
  }));

/** The tag of the image that the ModelServing asks for. */
export const wantedTag = (object: LiveServing): string =>
  object.spec.template.roles[0]?.entryTemplate.spec.containers[0]?.image.split(':').at(-1) ?? '';

export const condition = (
  object: LiveServing,
  type: string,
): { readonly status: string; readonly reason?: string; readonly message?: string } | undefined =>
  object.status?.conditions?.find((entry) => entry.type === type);

/** What the status says of the newest edit: all groups are on it, and nothing is under way. */
export const claimsRolledOut = (object: LiveServing): boolean =>
  object.status?.observedGeneration === object.metadata.generation &&
  object.status?.updatedReplicas === object.spec.replicas &&
  object.status?.availableReplicas === object.spec.replicas &&
  condition(object, 'UpdateInProgress')?.status !== 'True';
