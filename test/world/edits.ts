import type { ModelServing, PodTemplate, Role } from '../../src/api/index.ts';
import type { Container, PodSpec } from '../../src/objects/index.ts';

// What a person changes in a live ModelServing.

/** Changes every Role. */
export const withRoles = (live: ModelServing, change: (role: Role) => Role): ModelServing => ({
  ...live,
  spec: { ...live.spec, template: { ...live.spec.template, roles: live.spec.template.roles.map(change) } },
});

/** Changes one Role. */
export const withRole = (live: ModelServing, name: string, change: (role: Role) => Role): ModelServing =>
  withRoles(live, (role) => (role.name === name ? change(role) : role));

/** Changes the containers of a Role's entry template. */
export const withEntryContainers = (role: Role, change: (container: Container) => Container): Role => ({
  ...role,
  entryTemplate: mapTemplate(role.entryTemplate, change),
});

/** Changes the containers of a Role's worker template. */
export const withWorkerContainers = (role: Role, change: (container: Container) => Container): Role =>
  role.workerTemplate === undefined ? role : { ...role, workerTemplate: mapTemplate(role.workerTemplate, change) };

const mapTemplate = (template: PodTemplate, change: (container: Container) => Container): PodTemplate => {
  const spec: PodSpec = template.spec ?? { containers: [] };
  return { ...template, spec: { ...spec, containers: spec.containers.map(change) } };
};
