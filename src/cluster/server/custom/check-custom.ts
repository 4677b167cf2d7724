import { celErrors, listTypeErrors, type Schema, validate } from '../../../objects/index.ts';
import type { CustomResource, StoredObject } from '../../server-types.ts';
import { type FieldError, invalidValue } from '../field-error.ts';
import { valueAt } from '../kinds/fields.ts';

/**
 * Everything wrong with a custom object, in the order of a real server: its schema, its replicas, its list types, and
 * its CEL rules unless something before them leaves no ground to ask them.
 *
 * @param previous  absent on create; with it, what an update leaves as it was is not held against it
 */
export const checkCustom = (
  custom: CustomResource,
  object: StoredObject,
  previous: StoredObject | undefined,
): readonly FieldError[] => {
  const schema = custom.schema as Schema;
  const earlier = [
    ...validate(schema, object, { before: previous }),
    ...checkReplicas(custom, object),
    ...listTypeErrors(schema, object),
  ];
  return [...earlier, ...celErrors(schema, object, { before: previous, earlier })];
};

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
