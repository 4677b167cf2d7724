import type { PodSpec } from '../../objects/index.ts';
import { effectiveProgressDeadlineSeconds, effectiveRolloutType, effectiveUpdateMethod } from '../defaults.ts';
import { identityLabels } from '../labels.ts';
import type { ModelServing } from '../types.ts';
import { rolesOf } from './check.ts';
import { resolve } from './int-or-percent.ts';

/** What is legal and still hardly meant; each with its path. */
export const warningsFor = (modelServing: ModelServing): readonly string[] => [
  ...labelWarnings(modelServing),
  ...deadlineWarnings(modelServing),
  ...roleBudgetWarnings(modelServing),
  ...pluginWarnings(modelServing),
  ...topologyWarnings(modelServing),
];

const templates = ['entryTemplate', 'workerTemplate'] as const;

const labelWarnings = (modelServing: ModelServing): readonly string[] =>
  rolesOf(modelServing).flatMap(({ role, path }) =>
    templates.flatMap((template) =>
      Object.keys(role[template]?.metadata?.labels ?? {})
        .filter((key) => identityLabels.includes(key))
        .map((key) => `${path}.${template}.metadata.labels[${key}]: ignored: the operator sets this label itself`),
    ),
  );

/** A container that takes its whole grace period to stop needs that time, and then some to start again. */
const deadlineWarnings = (modelServing: ModelServing): readonly string[] => {
  if (!modelServing.spec || effectiveUpdateMethod(modelServing.spec) !== 'InPlace') return [];
  const deadline = effectiveProgressDeadlineSeconds(modelServing.spec);
  return rolesOf(modelServing).flatMap(({ role, path }) =>
    templates.flatMap((template) => {
      const grace = gracePeriod(role[template]?.spec);
      return deadline >= grace + 60
        ? []
        : [
            `spec.rolloutStrategy.progressDeadlineSeconds: ${deadline} is less than terminationGracePeriodSeconds (${grace}) of ${path}.${template} plus 60: an in-place update may run out of time while the old container is still stopping`,
          ];
    }),
  );
};

const gracePeriod = (spec: PodSpec | undefined): number => (spec ? (spec.terminationGracePeriodSeconds ?? 30) : 0);

const roleBudgetWarnings = (modelServing: ModelServing): readonly string[] => {
  if (!modelServing.spec || effectiveRolloutType(modelServing.spec) !== 'RoleRollingUpdate') return [];
  return rolesOf(modelServing).flatMap(({ role, path }) => {
    const replicas = role.replicas ?? 1;
    const budget = resolve(role.maxUnavailable ?? 1, replicas, 'down') ?? 0;
    return replicas === 0 || budget <= replicas
      ? []
      : [`${path}.maxUnavailable: ${budget} is more than replicas (${replicas}): all instances may be updated at once`];
  });
};

const pluginWarnings = (modelServing: ModelServing): readonly string[] => {
  const roleNames = rolesOf(modelServing).map(({ role }) => role.name);
  return (modelServing.spec?.plugins ?? []).flatMap(({ scope }, index) => [
    ...(scope?.target === undefined || ['', 'All', 'Entry', 'Worker'].includes(scope.target)
      ? []
      : [
          `spec.plugins[${index}].scope.target: ${JSON.stringify(scope.target)} is none of All, Entry, Worker: the plugin never runs`,
        ]),
    ...(scope?.roles ?? [])
      .filter((name) => !roleNames.includes(name))
      .map((name) => `spec.plugins[${index}].scope.roles: there is no Role ${JSON.stringify(name)}`),
  ]);
};

const topologyWarnings = (modelServing: ModelServing): readonly string[] =>
  (['groupPolicy', 'rolePolicy'] as const).flatMap((policy) => {
    const topology = modelServing.spec?.template?.networkTopology?.[policy];
    return topology?.highestTierAllowed !== undefined && topology.highestTierName
      ? [`spec.template.networkTopology.${policy}: highestTierAllowed and highestTierName exclude each other`]
      : [];
  });
