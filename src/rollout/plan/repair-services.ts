import { renderService } from '../../api/index.ts';
import { isTerminating, jsonEqual, resourceVersionOf, type Service } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';

/** Objects never change, and what a Service should be follows from its name: each is judged once. */
const right = new WeakSet<Service>();

/**
 * Puts right what somebody edited in headless Services: each leads to the entry Pod of its role instance, and to no
 * other, Ready or not. Whatever else they added (annotations, ports, labels of their own) stays.
 */
export const repairServices = (context: Context, units: readonly UnitView[]): void => {
  const { modelServing, catalog, draft } = context;
  for (const unit of units) {
    for (const { service, group, role: name, instance } of unit.instances) {
      if (service === undefined || right.has(service) || isTerminating(service)) continue;
      const role = catalog.roles(unit.recipe)?.get(name);
      const wanted = role && renderService({ modelServing, role, group, instance });
      if (wanted === undefined) continue;
      const body = repairOf(service, wanted);
      if (body === undefined) right.add(service);
      else draft.patchService(service, body, `${unit.title}: headless Service edited by hand`);
    }
  }
};

/** What to merge into the live one; undefined where it is as it should be. */
const repairOf = (live: Service, wanted: Service): unknown => {
  const labels = differing(live.metadata.labels, wanted.metadata.labels);
  const selector = exactly(live.spec?.selector, wanted.spec?.selector);
  const publishes = wanted.spec?.publishNotReadyAddresses;
  const isSame = labels === undefined && selector === undefined && live.spec?.publishNotReadyAddresses === publishes;
  if (isSame) return undefined;
  return {
    metadata: { resourceVersion: resourceVersionOf(live), ...(labels === undefined ? {} : { labels }) },
    spec: { publishNotReadyAddresses: publishes, ...(selector === undefined ? {} : { selector }) },
  };
};

type Labels = Readonly<Record<string, string>>;

/** The wanted ones that are missing or different; undefined where there is none. */
const differing = (live: Labels = {}, wanted: Labels = {}): Labels | undefined => {
  const wrong = Object.entries(wanted).filter(([key, value]) => live[key] !== value);
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong);
};

/** The wanted ones, and null for those that are too many; undefined where they are the same. */
const exactly = (live: Labels = {}, wanted: Labels = {}): Readonly<Record<string, string | null>> | undefined => {
  if (jsonEqual(live, wanted)) return undefined;
  const surplus = Object.keys(live).filter((key) => !(key in wanted));
  return { ...wanted, ...Object.fromEntries(surplus.map((key) => [key, null])) };
};
