import { isPlainObject, member, type PlainObject, withoutMember } from '../objects/index.ts';
import { asReasons } from './as-reasons.ts';
import { type ContainerImage, checkContainers } from './check-containers.ts';
import { differences } from './differences.ts';
import type { Reason, ReasonKind } from './reason.ts';

export interface TemplateCheck {
  readonly reasons: readonly Reason[];
  readonly images: readonly ContainerImage[];
}

/**
 * What of one Pod template cannot be applied by patching images, and the images that can.
 *
 * @param before  the meaning of the old template (`templateMeaning`)
 * @param after   the meaning of the new one
 * @param path    of the template
 */
export const checkTemplate = (before: PlainObject, after: PlainObject, path: string): TemplateCheck => {
  const [oldSpec, newSpec] = [objectAt(before, 'spec'), objectAt(after, 'spec')];
  const specPath = `${path}.spec`;
  const inField = (field: string, kind: ReasonKind): readonly Reason[] =>
    asReasons(differences(member(oldSpec, field), member(newSpec, field), `${specPath}.${field}`), kind);
  const containers = checkContainers(listAt(oldSpec, 'containers'), listAt(newSpec, 'containers'), specPath);
  const ownChecks = ['containers', 'initContainers', 'volumes', 'restartPolicy'];
  const [oldRest, newRest] = [ownChecks.reduce(withoutMember, oldSpec), ownChecks.reduce(withoutMember, newSpec)];
  return {
    reasons: [
      ...asReasons(
        differences(objectAt(before, 'metadata'), objectAt(after, 'metadata'), `${path}.metadata`),
        'template-metadata',
      ),
      ...containers.reasons,
      ...inField('initContainers', 'init-containers'),
      ...inField('volumes', 'volumes'),
      ...inField('restartPolicy', 'restart-policy'),
      ...asReasons(differences(oldRest, newRest, specPath), 'pod-field'),
    ],
    images: containers.images,
  };
};

const objectAt = (object: PlainObject, key: string): PlainObject => {
  const value = member(object, key);
  return isPlainObject(value) ? value : {};
};

const listAt = (object: PlainObject, key: string): readonly PlainObject[] => {
  const value = member(object, key);
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
};
