import type { ModelServing, PodTemplate, Role } from '../api/index.ts';

/** The template with every container on this image. */
const templateWithImage = (template: PodTemplate, image: string): PodTemplate => ({
  ...template,
  spec: { ...template.spec, containers: (template.spec?.containers ?? []).map((each) => ({ ...each, image })) },
});

/** The Role with every container, of entry and workers, on this image. */
export const roleWithImage = (role: Role, image: string): Role => ({
  ...role,
  entryTemplate: templateWithImage(role.entryTemplate, image),
  ...(role.workerTemplate === undefined ? {} : { workerTemplate: templateWithImage(role.workerTemplate, image) }),
});

/** The edit of a user who rolls out an image: to all Roles, or to one. */
export const withImage = (modelServing: ModelServing, image: string, roleName?: string): ModelServing => {
  const { spec } = modelServing;
  const roles = spec.template.roles.map((role) =>
    roleName === undefined || roleName === role.name ? roleWithImage(role, image) : role,
  );
  return { ...modelServing, spec: { ...spec, template: { ...spec.template, roles } } };
};
