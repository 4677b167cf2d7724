import type { Memory } from './types.ts';

/** How the refusal of a create ends whose name is held by an object of somebody else. */
export const heldByStranger = 'belongs to someone else';

/** Whether a create of that key was refused because a stranger holds its name, which no cache may show. */
export const isHeldByStranger = (memory: Memory, key: string): boolean =>
  memory.refusals.get(key)?.message.endsWith(heldByStranger) === true;
