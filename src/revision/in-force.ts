import type { GangPolicy, NetworkTopology, PluginSpec } from '../api/index.ts';
import { effectiveSchedulerName, type ModelServingSpec, schedulingInForceAnnotation } from '../api/index.ts';
import { type ControllerRevision, isPlainObject, jsonEqual, stringifyAsGo } from '../objects/index.ts';

/**
 * What stands beside the data of a ControllerRevision, in an annotation: the scheduling in force for groups of that
 * revision, and for an older record what it does not say itself, as it stood in the spec when the record was taken
 * over.
 */
export interface InForce {
  readonly gangPolicy?: GangPolicy | undefined;
  readonly networkTopology?: NetworkTopology | undefined;
  readonly assumed?: Assumed | undefined;
}

export interface Assumed {
  readonly schedulerName: string;
  readonly plugins: readonly PluginSpec[];
}

/** Reads the annotation; undefined where there is none, or none that can be read: then nothing is known. */
export const readInForce = (revision: ControllerRevision): InForce | undefined => {
  const text = revision.metadata.annotations?.[schedulingInForceAnnotation];
  const value = text === undefined ? undefined : parse(text);
  if (!isPlainObject(value)) return undefined;
  const { gangPolicy, networkTopology, assumed } = value;
  return {
    ...(isPlainObject(gangPolicy) ? { gangPolicy: gangPolicy as GangPolicy } : {}),
    ...(isPlainObject(networkTopology) ? { networkTopology: networkTopology as NetworkTopology } : {}),
    ...(isAssumed(assumed) ? { assumed } : {}),
  };
};

/** The text of the annotation for what the spec asks for now. */
export const formatInForce = (spec: ModelServingSpec, assumed?: Assumed): string =>
  stringifyAsGo({
    gangPolicy: spec.template.gangPolicy,
    networkTopology: spec.template.networkTopology,
    assumed,
  });

/** What an older record is taken to have meant, from the spec that it is equal to in everything it says. */
export const assumedFrom = (spec: ModelServingSpec): Assumed => ({
  schedulerName: effectiveSchedulerName(spec),
  plugins: spec.plugins ?? [],
});

/** Whether an annotation already says this; spelling does not count. */
export const saysInForce = (revision: ControllerRevision, text: string): boolean => {
  const present = revision.metadata.annotations?.[schedulingInForceAnnotation];
  return present !== undefined && jsonEqual(parse(present), parse(text));
};

const isAssumed = (value: unknown): value is Assumed =>
  isPlainObject(value) && typeof value['schedulerName'] === 'string' && Array.isArray(value['plugins']);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // edited by hand: as good as absent
  }
};
