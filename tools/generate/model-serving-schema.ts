import type { Schema } from '../../src/objects/schema/schema.ts';
import {
  anything,
  boolean,
  int32,
  int64,
  intOrPercent,
  list,
  mapOf,
  object,
  oneOf,
  rule,
  string,
} from './schema-dsl.ts';

// The source of our part of the CRD. Names, defaults, limits and CEL rules are those of kthena's ModelServing, so that
// objects and clients of either operator fit the other; what only we have says so.

/** Ordinals as ranges: `0-3,7`. */
const ordinalRanges = '^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$';
const atomic = { 'x-kubernetes-list-type': 'atomic' };

const rollingUpdate = (units: string): Readonly<Record<string, Schema>> => ({
  maxUnavailable: intOrPercent(`How many ${units} may be unavailable during an update; a percentage is rounded down.`, {
    default: 1,
  }),
  maxSurge: intOrPercent(
    `How many ${units} may exist beyond replicas during an update; a percentage is rounded up. Absent means 0.`,
  ),
  partition: intOrPercent(
    `The first N ${units} in ordinal order keep their revision; a percentage is rounded up. Absent means 0.`,
  ),
});

const topologyPolicy = (description: string): Schema =>
  object(description, {
    mode: oneOf('hard: must hold; soft: as well as possible.', ['hard', 'soft'], { default: 'hard' }),
    highestTierAllowed: {
      description: 'The highest tier that may be crossed. Not together with highestTierName.',
      type: 'integer',
      minimum: 0,
    },
    highestTierName: string('The name of that tier.', { maxLength: 253 }),
  });

const plugin = object('A named step that changes Pods before they are created.', {
  'name!': string('The name under which the plugin is registered.'),
  'type!': oneOf('The kind of plugin.', ['BuiltIn'], { default: 'BuiltIn' }),
  config: anything('The configuration of the plugin, as it understands it.'),
  scope: object('Where the plugin acts; everywhere if absent.', {
    roles: list('Only in these Roles.', { type: 'string' }),
    target: string('All, Entry or Worker. Absent means All.'),
  }),
});

const rolloutStrategy = object('How a new revision replaces the present one.', {
  'type!': oneOf(
    'The unit that is updated: a whole ServingGroup, or one role instance.',
    ['ServingGroupRollingUpdate', 'RoleRollingUpdate'],
    { default: 'ServingGroupRollingUpdate' },
  ),
  updateMethod: oneOf(
    'InPlace: where only images change, they are patched into the running Pods. Recreate: Pods are always replaced.',
    ['Recreate', 'InPlace'],
    { default: 'Recreate' },
  ),
  progressDeadlineSeconds: int32(
    'Seconds that an in-place update of one unit may take, waiting included, before the recovery policy applies. Absent means 1800.',
    { minimum: 60 },
  ),
  rollingUpdateConfiguration: object('Limits for ServingGroupRollingUpdate.', rollingUpdate('ServingGroups')),
});

const roles = (podTemplate: (description: string) => Schema): Schema =>
  list(
    'The Roles of a ServingGroup.',
    object('A Role, for example prefill or decode.', {
      'name!': string('Unique within the ServingGroup.', {
        maxLength: 12,
        pattern: '^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$',
      }),
      replicas: int32('Number of role instances in each ServingGroup.', { default: 1 }),
      'entryTemplate!': podTemplate('The entry Pod of a role instance.'),
      'workerReplicas!': int32('Number of worker Pods beside the entry Pod.'),
      workerTemplate: podTemplate('The worker Pods; needed if there are any.'),
      ...rollingUpdate('role instances'),
    }),
    {
      minItems: 1,
      maxItems: 4,
      ...rule('self.all(x, self.exists_one(y, y.name == x.name))', 'roles name must be unique'),
    },
  );

const spec = (podTemplate: (description: string) => Schema): Schema =>
  object('What is wanted.', {
    replicas: int32('Number of ServingGroups.', { default: 1 }),
    schedulerName: string('The scheduler of all Pods. volcano makes a PodGroup for each ServingGroup.', {
      default: 'volcano',
    }),
    plugins: list('Plugins, applied in this order.', plugin),
    'template!': object(
      'What a ServingGroup consists of.',
      {
        restartGracePeriodSeconds: int64('Seconds a failed Pod has to become ready again before it is replaced.', {
          default: 0,
        }),
        gangPolicy: object('Gang scheduling. Cannot be removed once set.', {
          minRoleReplicas: mapOf(
            'By Role: how many role instances must be schedulable together.',
            { type: 'integer', format: 'int32' },
            rule('self == oldSelf', 'minRoleReplicas is immutable'),
          ),
        }),
        networkTopology: object('Network topology, for schedulers that know it.', {
          groupPolicy: topologyPolicy('For a whole ServingGroup.'),
          rolePolicy: topologyPolicy('For each role instance.'),
        }),
        'roles!': roles(podTemplate),
      },
      rule('!has(oldSelf.gangPolicy) || has(self.gangPolicy)', 'gangPolicy is required once set'),
    ),
    rolloutStrategy,
    recoveryPolicy: oneOf(
      'What is rebuilt when a Pod fails or is lost.',
      ['ServingGroupRecreate', 'RoleRecreate', 'None'],
      { default: 'RoleRecreate' },
    ),
    revisionHistoryLimit: int32('How many ControllerRevisions that are not in use are kept.', {
      default: 10,
      minimum: 0,
    }),
  });

const condition = object('One aspect of the present state.', {
  'type!': string('The name of the condition.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }),
  'status!': oneOf('True, False or Unknown.', ['True', 'False', 'Unknown']),
  observedGeneration: int64('The generation that this condition was set for.', { minimum: 0 }),
  'lastTransitionTime!': string('When the status last changed.', { format: 'date-time' }),
  'reason!': string('Why, in one word.', {
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  }),
  'message!': string('Why, for people.', { maxLength: 32768 }),
});

const unit = object('ServingGroups whose role instances have the same record.', {
  'groups!': string('Ordinals of ServingGroups: 0-3,7.', { pattern: ordinalRanges }),
  'roles!': list(
    'Their role instances.',
    object('Role instances of one Role with the same record.', {
      'name!': string('The Role.'),
      'instances!': string('Ordinals of role instances: 0-3,7.', { pattern: ordinalRanges }),
      'completed!': int32('How many in-place updates each has completed.', { minimum: 0 }),
      leaving: boolean('Its deletion was decided.'),
      filling: boolean('No Pod of it is left, and it is being made again.'),
    }),
    atomic,
  ),
});

const failure = object('A unit that ran out of time on a revision.', {
  'group!': int32('Ordinal of the ServingGroup.', { minimum: 0 }),
  role: string('The Role, where one role instance is the unit.'),
  instance: int32('Ordinal of the role instance.', { minimum: 0 }),
  'revision!': string('The revision it did not reach.'),
  'startedAt!': string('When that update started.', { format: 'date-time' }),
});

const recreation = object('A role instance that was made again, in these ServingGroups.', {
  'groups!': string('Ordinals of ServingGroups: 0-3,7.', { pattern: ordinalRanges }),
  'role!': string('The Role.'),
  'instance!': int32('Ordinal of the role instance.', { minimum: 0 }),
  'revision!': string('The update revision at that time.'),
  'times!': int32('How often in a row.', { minimum: 1 }),
});

const status = object('What is.', {
  observedGeneration: int64('The generation that the rest was computed for.'),
  replicas: int32('ServingGroups that exist.'),
  currentReplicas: int32('ServingGroups at the current revision.'),
  updatedReplicas: int32('ServingGroups at the update revision.'),
  availableReplicas: int32('ServingGroups that are ready.'),
  currentRevision: string('The revision of ServingGroups that are not updated yet.'),
  updateRevision: string('The revision that the spec asks for.'),
  collisionCount: int32('Salts revision names after a collision.'),
  labelSelector: string('Selects the Pods, for autoscalers.'),
  conditions: list('Available, Progressing, UpdateInProgress and others.', condition),
  units: list('Role instances that were once whole. Kept by the operator; not in kthena.', unit, atomic),
  failures: list('Units that ran out of time. Kept by the operator; not in kthena.', failure, atomic),
  recreations: list(
    'Role instances whose Pods failed soon after they were made. Kept by the operator; not in kthena.',
    recreation,
    atomic,
  ),
});

/** The schema of the kind; `podSpec` is the structural schema of a Pod's spec. */
export const modelServingSchema = (podSpec: Schema): Schema => {
  const strings = (description: string): Schema => mapOf(description, { type: 'string' });
  const podTemplate = (description: string): Schema =>
    object(description, {
      metadata: object('Of metadata these two exist.', {
        labels: strings('Labels of the Pods.'),
        annotations: strings('Annotations of the Pods.'),
      }),
      spec: podSpec,
    });
  return object('LLM inference served by groups of Pods.', {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: spec(podTemplate),
    status,
  });
};
