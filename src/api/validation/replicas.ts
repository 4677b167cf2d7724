import { invalid, required } from '../../objects/index.ts';
import { type Check, rolesOf } from './check.ts';

/** The CRD defaults both counts, so an absent one means an object that never went through an API server. */
export const checkReplicas: Check = (modelServing) => {
  const replicas = modelServing.spec?.replicas;
  const roles = rolesOf(modelServing);
  return [
    ...(isCount(replicas) ? [] : [invalid('spec.replicas', replicas, 'replicas must be a non-negative integer')]),
    ...(roles.length > 0
      ? []
      : [invalid('spec.template.roles', modelServing.spec?.template?.roles, 'roles must be specified')]),
    ...roles.flatMap(({ role, path }) =>
      isCount(role.replicas)
        ? []
        : [invalid(`${path}.replicas`, role.replicas, 'role replicas must be a non-negative integer')],
    ),
  ];
};

export const checkWorkers: Check = (modelServing) =>
  rolesOf(modelServing).flatMap(({ role, path }) => [
    ...(role.workerReplicas < 0
      ? [invalid(`${path}.workerReplicas`, role.workerReplicas, 'workerReplicas must be a non-negative integer')]
      : []),
    ...(role.workerReplicas > 0 && !role.workerTemplate
      ? [required(`${path}.workerTemplate`, 'workerTemplate is required when workerReplicas is greater than 0')]
      : []),
  ]);

/** Every Role named must exist and have that many instances, or the gang could never start. Sorted by Role. */
export const checkGang: Check = (modelServing) => {
  const minimums = modelServing.spec?.template?.gangPolicy?.minRoleReplicas ?? {};
  const byName = new Map(rolesOf(modelServing).map(({ role }) => [role.name, role]));
  return Object.entries(minimums)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, minimum]) => {
      const path = `spec.template.gangPolicy.minRoleReplicas[${name}]`;
      const role = byName.get(name);
      if (role === undefined) return [invalid(path, name, `role ${name} does not exist in template.roles`)];
      const replicas = role.replicas ?? 1;
      const tooMany = `minRoleReplicas (${minimum}) for role ${name} cannot exceed replicas (${replicas})`;
      return [
        ...(minimum > replicas ? [invalid(path, minimum, tooMany)] : []),
        ...(minimum < 0 ? [invalid(path, minimum, `minRoleReplicas for role ${name} must be non-negative`)] : []),
      ];
    });
};

const isCount = (value: number | null | undefined): boolean => typeof value === 'number' && value >= 0;
