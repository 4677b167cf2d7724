import { inject } from 'vitest';
import { type Bed, readBed } from '../../tools/control-plane/bed.ts';

/** Why nothing real can be tested on this machine; undefined where it can. Part of the name of what is skipped for it. */
export const missing: string | undefined = inject('bedMissing') || undefined;

/** A name for a suite that says why it is skipped, where it is. */
export const onRealNode = (name: string): string => (missing === undefined ? name : `${name} (skipped: ${missing})`);

/** The control plane that the setup has started. */
export const theBed = (): Bed => {
  const bed = readBed(inject('bedFolder'));
  if (bed === undefined) throw new Error('no control plane was started');
  return bed;
};
