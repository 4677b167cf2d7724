import type { PodTemplate, Role } from '../api/index.ts';
import type { RevisionData, RevisionRole } from './revision-data.ts';

/**
 * The Roles of a revision as a spec holds them: each with the replicas and rollout knobs it has now, in the present
 * order. A Role that is no longer there comes back at the end with one replica; a newer one goes.
 */
export const restoreRoles = (data: RevisionData, current: readonly Role[]): readonly Role[] => {
  const stored = new Map(data.roles.map((role) => [role.name, role]));
  const scheduler = data.schedulerName.state === 'recorded' ? data.schedulerName.value : undefined;
  const kept = current.flatMap((role) => {
    const old = stored.get(role.name);
    return old === undefined ? [] : [restoreRole(old, knobsOf(role), scheduler)];
  });
  const present = new Set(current.map(({ name }) => name));
  const back = data.roles.filter(({ name }) => !present.has(name));
  return [...kept, ...back.map((role) => restoreRole(role, { replicas: 1 }, scheduler))];
};

type Knobs = Pick<Role, 'replicas' | 'maxUnavailable' | 'maxSurge' | 'partition'>;

const knobsOf = ({ replicas, maxUnavailable, maxSurge, partition }: Role): Knobs => ({
  ...(replicas === undefined ? {} : { replicas }),
  ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  ...(maxSurge === undefined ? {} : { maxSurge }),
  ...(partition === undefined ? {} : { partition }),
});

const restoreRole = (role: RevisionRole, knobs: Knobs, scheduler: string | undefined): Role => ({
  ...role,
  entryTemplate: withoutStoredScheduler(role.entryTemplate, scheduler),
  ...(role.workerTemplate ? { workerTemplate: withoutStoredScheduler(role.workerTemplate, scheduler) } : {}),
  ...knobs,
});

/** Storing writes the ModelServing's scheduler into every template; nobody wrote it there. */
const withoutStoredScheduler = (template: PodTemplate, scheduler: string | undefined): PodTemplate => {
  if (template.spec === undefined || template.spec.schedulerName !== scheduler) return template;
  const { schedulerName: _, ...spec } = template.spec;
  return { ...template, spec };
};
