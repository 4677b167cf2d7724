import type { FieldError } from '../../objects/index.ts';
import type { ModelServing, Role } from '../types.ts';

/** One rule of admission: what it has against the object, nothing if it holds. */
export type Check = (modelServing: ModelServing) => readonly FieldError[];

/** Its Roles with their paths. Empty for an object so broken that it has none: whoever calls the webhook may send it. */
export const rolesOf = (modelServing: ModelServing): readonly { readonly role: Role; readonly path: string }[] =>
  (modelServing.spec?.template?.roles ?? []).map((role, index) => ({ role, path: `spec.template.roles[${index}]` }));
