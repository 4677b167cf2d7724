import { entryLabel, nameLabel, roleId, roleIdLabel, roleLabel } from '../../api/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';

/** A ServingGroup of the final set, summed up over its units. */
export interface GroupSummary {
  readonly ordinal: number;
  /** Every required Pod is at the update revision, and no update is open. */
  readonly updated: boolean;
  /** The same for the current revision. */
  readonly current: boolean;
  /** Every required Pod is Ready, and no update is open or begun by this decision. */
  readonly available: boolean;
}

export interface SummaryInput {
  readonly units: readonly UnitView[];
  /** Keys of units that this decision has begun to update or to take down. */
  readonly disturbed: ReadonlySet<string>;
  readonly currentRevision: string;
  readonly groups: readonly number[];
}

export const summariseGroups = (context: Context, input: SummaryInput): readonly GroupSummary[] => {
  const { catalog } = context;
  const byGroup = new Map<number, UnitView[]>(input.groups.map((group) => [group, []]));
  for (const unit of input.units) byGroup.get(unit.group)?.push(unit);
  return [...byGroup].map(([ordinal, units]) => {
    const calm = units.every((unit) => unit.attempt === undefined && !input.disturbed.has(unit.key));
    const wholeAt = (revision: string): boolean =>
      calm &&
      units.every(
        (unit) =>
          (unit.complete && unit.revision === revision) ||
          unit.required.every(
            ({ view }) =>
              view !== undefined &&
              !view.terminating &&
              view.revision !== undefined &&
              catalog.same(view.revision, revision),
          ),
      );
    const updated = wholeAt(catalog.target);
    return {
      ordinal,
      updated,
      current: input.currentRevision === catalog.target ? updated : wholeAt(input.currentRevision),
      available: calm && units.every((unit) => unit.ready),
    };
  });
};

/** One Pod a group (the entry of the first Role's first instance), so that HPA counts ServingGroups. */
export const labelSelectorOf = ({ modelServing, msName }: Context): string | undefined => {
  const role = modelServing.spec.template.roles[0]?.name;
  if (role === undefined) return undefined;
  return [
    `${entryLabel}=true`,
    `${nameLabel}=${msName}`,
    `${roleIdLabel}=${roleId(role, 0)}`,
    `${roleLabel}=${role}`,
  ].join(',');
};
