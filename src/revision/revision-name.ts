import { fnv1, safeEncode, stringifyAsGo } from '../objects/index.ts';
import { roleMeaning } from './meaning.ts';
import type { RevisionRole } from './revision-data.ts';

/**
 * The revision (label value, and name of the ControllerRevision after its prefix) for stored bytes: FNV-1, 32 bit, of
 * the bytes and the collision count in decimal, each decimal digit in the safe alphabet. 1 to 10 of `[4-9bcdf]`.
 *
 * A name, never an identity: whether two revisions are the same is a question of meaning.
 */
export const revisionNameOf = (bytes: Uint8Array, collisionCount?: number): string => {
  const salt = collisionCount === undefined ? '' : String(collisionCount);
  return hashOf(new Uint8Array([...bytes, ...new TextEncoder().encode(salt)]));
};

/** The value of the label `role-template-hash`; equal for every spelling of one Role. */
export const roleTemplateHash = (role: RevisionRole): string => {
  const known = hashes.get(role);
  if (known !== undefined) return known;
  const hash = hashOf(new TextEncoder().encode(stringifyAsGo(roleMeaning(role))));
  hashes.set(role, hash);
  return hash;
};

/** Every Pod carries the hash of its Role: worked out once for each. */
const hashes = new WeakMap<RevisionRole, string>();

const hashOf = (bytes: Uint8Array): string => safeEncode(String(fnv1(bytes)));
