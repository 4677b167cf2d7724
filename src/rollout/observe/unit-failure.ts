import type { FailureRecord } from '../../api/index.ts';
import type { Unit } from './units.ts';

/** Whether a failure was recorded for this unit, whatever the revision. */
export const isUnitOf = (failure: FailureRecord, unit: Pick<Unit, 'group' | 'roleInstance'>): boolean =>
  failure.group === unit.group &&
  failure.role === unit.roleInstance?.role &&
  failure.instance === unit.roleInstance?.instance;
