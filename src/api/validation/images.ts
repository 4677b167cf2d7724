import { type FieldError, invalid } from '../../objects/index.ts';
import type { PodTemplate } from '../types.ts';
import { type Check, rolesOf } from './check.ts';

/** An absent image is left to the Pod's own validation. */
export const checkImages: Check = (modelServing) =>
  rolesOf(modelServing).flatMap(({ role, path }) => [
    ...imagesOf(role.entryTemplate, `${path}.entryTemplate`),
    ...imagesOf(role.workerTemplate, `${path}.workerTemplate`),
  ]);

const imagesOf = (template: PodTemplate | undefined, path: string): readonly FieldError[] =>
  (template?.spec?.containers ?? []).flatMap(({ image }, index) => {
    const problem = image ? imageProblem(image) : undefined;
    return problem === undefined
      ? []
      : [invalid(`${path}.spec.containers[${index}].image`, image, `invalid container image reference: ${problem}`)];
  });

const imageProblem = (image: string): string | undefined => {
  if (image.trim() === '') return 'image cannot be empty or whitespace only';
  return /\s/.test(image) ? 'image cannot contain spaces' : undefined;
};
