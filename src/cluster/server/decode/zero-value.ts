import { isPlainObject, type Schema } from '../../../objects/index.ts';

/**
 * Whether Go leaves this value out when it writes an optional field (`omitempty`). Empty lists and maps always; an
 * empty text, 0 and false where the field is no pointer, which no schema says, so the two lists below do.
 */
export const isZero = (name: string, schema: Schema, value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return schema.additionalProperties !== undefined && Object.keys(value).length === 0;
  if (value === '') return !pointerTexts.has(name);
  return (value === 0 || value === false) && plainNumbersAndFlags.has(name);
};

/** Optional texts that are pointers in Go: an empty one is a value. */
const pointerTexts: ReadonlySet<string> = new Set([
  'appProtocol',
  'holderIdentity',
  'loadBalancerClass',
  'preferredHolder',
  'runtimeClassName',
  'service',
  'storageClassName',
]);

/** Optional numbers and flags that are no pointers in Go: 0 and false are nothing. */
const plainNumbersAndFlags: ReadonlySet<string> = new Set([
  'count',
  'failureThreshold',
  'generation',
  'healthCheckNodePort',
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'hostPort',
  'initialDelaySeconds',
  'nodePort',
  'nullable',
  'observedGeneration',
  'periodSeconds',
  'publishNotReadyAddresses',
  'readOnly',
  'stdin',
  'stdinOnce',
  'successThreshold',
  'timeoutSeconds',
  'tty',
  'unschedulable',
]);
