import type {
  ModelServing,
  ModelServingSpec,
  PodTemplate,
  RecoveryPolicy,
  Role,
  RollingUpdateConfiguration,
  RolloutStrategy,
} from '../../src/api/index.ts';
import type { Container, IntOrString, PodSpec } from '../../src/objects/index.ts';
import { roleWithImage } from '../../src/simulation/index.ts';

export interface RoleOptions {
  /** Role instances per group. Default 1. */
  readonly replicas?: number;
  /** Worker Pods beside the entry Pod of each instance. Default 0. */
  readonly workers?: number;
  /** Image of the only container, `c`. Default `engine:v1`. */
  readonly image?: string;
  /** Several containers by name, instead of `image`. */
  readonly images?: Readonly<Record<string, string>>;
  /** With RoleRollingUpdate only. */
  readonly maxUnavailable?: IntOrString;
  readonly partition?: IntOrString;
  readonly maxSurge?: IntOrString;
  /** False leaves out the readiness probe: a container is Ready once it runs. Default true. */
  readonly probe?: boolean;
  readonly graceSeconds?: number;
  /** Last word on both Pod specs. */
  readonly spec?: (spec: PodSpec) => PodSpec;
}

/** A manifest as a user would write it, built step by step. Every step gives a new builder; the old one stays. */
export interface ModelServingBuilder {
  groups(count: number): ModelServingBuilder;
  /** Adds a Role, or replaces the one of that name. Without any, there is one: `r`, one instance, one worker. */
  role(name: string, options?: RoleOptions): ModelServingBuilder;
  /** The image of every container, or of those of one Role. */
  image(image: string, role?: string): ModelServingBuilder;
  inPlace(): ModelServingBuilder;
  recreate(): ModelServingBuilder;
  /** `RoleRollingUpdate` instead of `ServingGroupRollingUpdate`. */
  byRole(): ModelServingBuilder;
  maxUnavailable(value: IntOrString): ModelServingBuilder;
  maxSurge(value: IntOrString): ModelServingBuilder;
  partition(value: IntOrString): ModelServingBuilder;
  /** `progressDeadlineSeconds`. */
  deadline(seconds: number): ModelServingBuilder;
  recovery(policy: RecoveryPolicy): ModelServingBuilder;
  /** `restartGracePeriodSeconds`. */
  restartGrace(seconds: number): ModelServingBuilder;
  paused(): ModelServingBuilder;
  /** Changes anything else of the spec. */
  with(change: (spec: ModelServingSpec) => ModelServingSpec): ModelServingBuilder;
  build(): ModelServing;
}

interface Draft {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: ModelServingSpec;
}

/** `aModelServing().groups(4).role('r', { workers: 1 }).image('engine:v1').inPlace().build()` */
export const aModelServing = (
  options: { readonly name?: string; readonly namespace?: string } = {},
): ModelServingBuilder =>
  builderOf({
    name: options.name ?? 'ms',
    namespace: options.namespace ?? 'default',
    annotations: {},
    spec: { replicas: 1, schedulerName: 'default-scheduler', template: { roles: [] } },
  });

const defaultRole = roleOf('r', { workers: 1 });

const builderOf = (draft: Draft): ModelServingBuilder => {
  const { spec } = draft;
  const change = (next: Partial<ModelServingSpec>): ModelServingBuilder =>
    builderOf({ ...draft, spec: { ...spec, ...next } });
  const strategy = (next: Partial<RolloutStrategy>): ModelServingBuilder =>
    change({ rolloutStrategy: { type: 'ServingGroupRollingUpdate', ...spec.rolloutStrategy, ...next } });
  const rolling = (next: RollingUpdateConfiguration): ModelServingBuilder =>
    strategy({ rollingUpdateConfiguration: { ...spec.rolloutStrategy?.rollingUpdateConfiguration, ...next } });
  const template = (next: Partial<ModelServingSpec['template']>): ModelServingBuilder =>
    change({ template: { ...spec.template, ...next } });
  const roles = spec.template.roles.length === 0 ? [defaultRole] : spec.template.roles;
  return {
    groups: (count) => change({ replicas: count }),
    role: (name, options = {}) =>
      template({ roles: [...spec.template.roles.filter((role) => role.name !== name), roleOf(name, options)] }),
    image: (image, name) =>
      template({
        roles: roles.map((role) => (name === undefined || name === role.name ? roleWithImage(role, image) : role)),
      }),
    inPlace: () => strategy({ updateMethod: 'InPlace' }),
    recreate: () => strategy({ updateMethod: 'Recreate' }),
    byRole: () => strategy({ type: 'RoleRollingUpdate' }),
    maxUnavailable: (maxUnavailable) => rolling({ maxUnavailable }),
    maxSurge: (maxSurge) => rolling({ maxSurge }),
    partition: (partition) => rolling({ partition }),
    deadline: (progressDeadlineSeconds) => strategy({ progressDeadlineSeconds }),
    recovery: (recoveryPolicy) => change({ recoveryPolicy }),
    restartGrace: (restartGracePeriodSeconds) => template({ restartGracePeriodSeconds }),
    paused: () =>
      builderOf({ ...draft, annotations: { ...draft.annotations, 'modelserving.volcano.sh/paused': 'true' } }),
    with: (edit) => builderOf({ ...draft, spec: edit({ ...spec, template: { ...spec.template, roles } }) }),
    build: () => ({
      apiVersion: 'workload.serving.volcano.sh/v1alpha1',
      kind: 'ModelServing',
      metadata: {
        name: draft.name,
        namespace: draft.namespace,
        ...(Object.keys(draft.annotations).length > 0 ? { annotations: draft.annotations } : {}),
      },
      spec: { ...spec, template: { ...spec.template, roles } },
    }),
  };
};

function roleOf(name: string, options: RoleOptions): Role {
  const { replicas = 1, workers = 0, images = { c: options.image ?? 'engine:v1' }, graceSeconds } = options;
  const { maxUnavailable, partition, maxSurge } = options;
  const base: PodSpec = {
    containers: Object.entries(images).map(([container, image]) =>
      containerOf(container, image, options.probe ?? true),
    ),
    ...(graceSeconds === undefined ? {} : { terminationGracePeriodSeconds: graceSeconds }),
  };
  const template: PodTemplate = { spec: options.spec?.(base) ?? base };
  return {
    name,
    replicas,
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
    ...(partition === undefined ? {} : { partition }),
    ...(maxSurge === undefined ? {} : { maxSurge }),
    entryTemplate: template,
    workerReplicas: workers,
    ...(workers > 0 ? { workerTemplate: template } : {}),
  };
}

function containerOf(name: string, image: string, probe: boolean): Container {
  const readinessProbe = { httpGet: { path: '/ready', port: 8000 }, periodSeconds: 1 };
  return { name, image, ...(probe ? { readinessProbe } : {}) };
}
