import type { CustomResource, StoredObject } from '../../server-types.ts';
import { type FieldError, invalidValue } from '../field-error.ts';
import { valueAt } from '../kinds/fields.ts';

/** Everything wrong with a custom object: by its schema, by its scale, by its CEL rules. */
export const checkCustom = (
  custom: CustomResource,
  object: StoredObject,
  _previous: StoredObject | undefined,
): readonly FieldError[] => checkReplicas(custom, object);

/** The replicas that `/scale` will read must be a count, whatever the schema says of them. */
const checkReplicas = (custom: CustomResource, object: StoredObject): readonly FieldError[] => {
  const path = custom.scale?.specReplicasPath;
  if (path === undefined) return [];
  const replicas = valueAt(object, path.replace(/^\./, ''));
  if (replicas === undefined) return [];
  if (!Number.isInteger(replicas)) {
    const type = typeof replicas === 'number' ? 'float64' : typeof replicas;
    return [
      invalidValue(path, 0, `${path} accessor error: ${String(replicas)} is of the type ${type}, expected int64`),
    ];
  }
  if (Number(replicas) < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')];
  const most = 2 ** 31 - 1;
  return Number(replicas) > most ? [invalidValue(path, replicas, `should be less than or equal to ${most}`)] : [];
};
