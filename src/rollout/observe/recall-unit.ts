import { type AssessInput, assessUnit, type UnitView } from './assess.ts';
import type { Catalog } from './catalog.ts';
import type { InstanceView } from './fleet.ts';
import type { Records } from './records.ts';
import type { Unit } from './units.ts';

/**
 * `assessUnit`, with the view of an earlier decision as long as nothing differs that it was made from. Of a thousand
 * units few change from one decision to the next.
 */
export const recallUnit = (unit: Unit, input: AssessInput): UnitView => {
  const [first] = unit.instances;
  if (first === undefined || input.records.failures().length > 0) return assessUnit(unit, input);
  const known = views.get(first);
  if (known !== undefined && isSameInput(known, unit, input)) return known.view;
  const view = assessUnit(unit, input);
  if (isLasting(view)) {
    views.set(first, { catalog: input.catalog, completed: completedOf(unit, input.records), view });
  }
  return view;
};

interface Known {
  /** Stands for the spec, too: a catalog is recalled for an equal one only. */
  readonly catalog: Catalog;
  /** What the records said of each instance. */
  readonly completed: readonly (number | undefined)[];
  readonly view: UnitView;
}

/** By the first instance; an instance of the same Pods and Service is the same object. */
const views = new WeakMap<InstanceView, Known>();

const completedOf = ({ instances }: Unit, records: Records): Known['completed'] =>
  instances.map((instance) => records.get(instance)?.completed);

/** Time, memory and settings beyond the spec count for units in update, edited by hand, or without a Pod. */
const isLasting = ({ attempt, revision, pods }: UnitView): boolean =>
  attempt === undefined && revision !== undefined && pods.every(({ edited }) => edited.length === 0);

const isSameInput = ({ catalog, completed, view }: Known, unit: Unit, input: AssessInput): boolean =>
  catalog === input.catalog &&
  view.rank === unit.rank &&
  view.instances.length === unit.instances.length &&
  unit.instances.every(
    (instance, index) =>
      instance === view.instances[index] && input.records.get(instance)?.completed === completed[index],
  );
