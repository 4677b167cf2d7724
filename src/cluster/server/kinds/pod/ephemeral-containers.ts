import { jsonEqual } from '../../../../objects/index.ts';
import type { StoredObject } from '../../../server-types.ts';
import { type FieldError, forbiddenField } from '../../field-error.ts';
import { record, records } from '../fields.ts';
import { checkPod } from './check-pod.ts';

/** Debug containers come, and never change or go (validation.ValidatePodEphemeralContainersUpdate). */
export const checkEphemeralContainers = (next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const now = new Map(records(record(next['spec'])['ephemeralContainers']).map((one) => [one['name'], one]));
  const kept = records(record(previous['spec'])['ephemeralContainers']).flatMap((old) => {
    const name = String(old['name']);
    const fresh = now.get(name);
    if (jsonEqual(fresh, old)) return [];
    const what = fresh === undefined ? 'removed' : 'changed';
    return [forbiddenField('spec.ephemeralContainers', `existing ephemeral containers "${name}" may not be ${what}`)];
  });
  return [...checkPod(next), ...kept];
};
