import type { GangPolicy, NetworkTopology, PluginSpec } from '../api/index.ts';
import { effectiveSchedulerName, type ModelServingSpec, schedulingInForceAnnotation } from '../api/index.ts';
import { type ControllerRevision, isPlainObject, jsonEqual, stringifyAsGo } from '../objects/index.ts';

/**
 * What stands beside the data of a ControllerRevision, in an annotation: the scheduling in force for groups of that
 * revision, and for an older record what it does not say itself: `proved` by its Pods when the record was taken over,
 * or else `assumed` from the spec of that moment.
 */
export interface InForce {
  readonly gangPolicy?: GangPolicy | undefined;
  readonly networkTopology?: NetworkTopology | undefined;
  readonly assumed?: Unsaid | undefined;
  readonly proved?: Unsaid | undefined;
}

/** What the older layout does not say. */
export interface Unsaid {
  readonly schedulerName: string;
  readonly plugins: readonly PluginSpec[];
}

/** Reads the annotation; undefined where there is none, or none that can be read: then nothing is known. */
export const readInForce = (revision: ControllerRevision): InForce | undefined => {
  const text = revision.metadata.annotations?.[schedulingInForceAnnotation];
  const value = text === undefined ? undefined : parse(text);
  if (!isPlainObject(value)) return undefined;
  const { gangPolicy, networkTopology, assumed, proved } = value;
  return {
    ...(isPlainObject(gangPolicy) ? { gangPolicy: gangPolicy as GangPolicy } : {}),
    ...(isPlainObject(networkTopology) ? { networkTopology: networkTopology as NetworkTopology } : {}),
    ...(isUnsaid(assumed) ? { assumed } : {}),
    ...(isUnsaid(proved) ? { proved } : {}),
  };
};

/** The text of the annotation for what the spec asks for now. */
export const formatInForce = (
  spec: ModelServingSpec,
  unsaid: Pick<InForce, 'assumed' | 'proved'> | undefined = {},
): string =>
  stringifyAsGo({
    gangPolicy: spec.template.gangPolicy,
    networkTopology: spec.template.networkTopology,
    assumed: unsaid.assumed,
    proved: unsaid.proved,
  });

/** What an older record is taken to have meant, from the spec that it is equal to in everything it says. */
export const unsaidBy = (spec: ModelServingSpec): Unsaid => ({
  schedulerName: effectiveSchedulerName(spec),
  plugins: spec.plugins ?? [],
});

/** Whether an annotation already says this; spelling does not count. */
export const saysInForce = (revision: ControllerRevision, text: string): boolean => {
  const present = revision.metadata.annotations?.[schedulingInForceAnnotation];
  return present !== undefined && jsonEqual(parse(present), parse(text));
};

const isUnsaid = (value: unknown): value is Unsaid =>
  isPlainObject(value) && typeof value['schedulerName'] === 'string' && Array.isArray(value['plugins']);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // edited by hand: as good as absent
  }
};
