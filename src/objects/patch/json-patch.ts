import { jsonEqual } from '../equal.ts';
import { isPlainObject, withMember, withoutMember } from '../plain-object.ts';
import { formatPointer, parsePointer } from './json-pointer.ts';
import { PatchError } from './patch-error.ts';

/** One operation of RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/**
 * Applies the operations in order and returns the new document; the old one is not touched, and shares with the new
 * one what did not change. All or nothing: throws a PatchError (`malformed`, `missing`, `test-failed`) and then nothing
 * was applied.
 */
export const applyJsonPatch = (document: unknown, operations: readonly JsonPatchOperation[]): unknown =>
  operations.reduce(applyOperation, document);

/** Reads operations as they arrive in a request body. Throws a PatchError (`malformed`). */
export const parseJsonPatch = (body: unknown): readonly JsonPatchOperation[] => {
  if (!Array.isArray(body)) throw new PatchError('malformed', 'a JSON patch is a list of operations');
  return body.map(parseOperation);
};

const parseOperation = (operation: unknown): JsonPatchOperation => {
  if (!isPlainObject(operation)) throw new PatchError('malformed', 'an operation of a JSON patch is an object');
  const { op, path, from, value } = operation;
  if (typeof path !== 'string') throw new PatchError('malformed', `operation '${String(op)}' has no path`);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      if (value === undefined) throw new PatchError('malformed', `operation '${op}' at '${path}' has no value`);
      return { op, path, value };
    case 'remove':
      return { op, path };
    case 'move':
    case 'copy':
      if (typeof from !== 'string') throw new PatchError('malformed', `operation '${op}' at '${path}' has no from`);
      return { op, path, from };
    default:
      throw new PatchError('malformed', `unexpected kind of operation: ${String(op)}`);
  }
};

const applyOperation = (document: unknown, operation: JsonPatchOperation): unknown => {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      return add(document, path, operation.value);
    case 'remove':
      return remove(document, path);
    case 'replace':
      read(document, path);
      return change(document, path, (parent, key) => set(parent, key, operation.value), operation.value);
    case 'copy':
      return add(document, path, read(document, parsePointer(operation.from)));
    case 'move':
      return move(document, parsePointer(operation.from), path);
    case 'test':
      if (jsonEqual(read(document, path), operation.value)) return document;
      throw new PatchError('test-failed', `testing value ${operation.path} failed`);
  }
};

type Path = readonly string[];

const move = (document: unknown, from: Path, path: Path): unknown => {
  const value = read(document, from);
  if (from.length < path.length && from.every((segment, index) => segment === path[index])) {
    throw new PatchError('malformed', `'${formatPointer(from)}' cannot be moved into itself`);
  }
  if (from.length === path.length && from.every((segment, index) => segment === path[index])) return document;
  return add(remove(document, from), path, value);
};

const add = (document: unknown, path: Path, value: unknown): unknown =>
  change(
    document,
    path,
    (parent, key) => {
      if (!Array.isArray(parent)) return set(parent, key, value);
      const index = key === '-' ? parent.length : indexIn(parent.length + 1, key, path);
      return parent.toSpliced(index, 0, value);
    },
    value,
  );

const remove = (document: unknown, path: Path): unknown => {
  if (path.length === 0) throw new PatchError('malformed', 'the whole document cannot be removed');
  return change(document, path, (parent, key) => {
    if (Array.isArray(parent)) return parent.toSpliced(indexIn(parent.length, key, path), 1);
    step(parent, key, path);
    return withoutMember(asObject(parent, path), key);
  });
};

/** Rebuilds the containers on the way to the parent of `path`; an empty path replaces the whole document. */
const change = (
  document: unknown,
  path: Path,
  edit: (parent: unknown, key: string) => unknown,
  whole?: unknown,
): unknown => {
  const descend = (node: unknown, depth: number): unknown => {
    const key = path[depth] ?? '';
    if (depth === path.length - 1) {
      if (Array.isArray(node) || isPlainObject(node)) return edit(node, key);
      throw missing(path);
    }
    return set(node, key, descend(step(node, key, path), depth + 1));
  };
  return path.length === 0 ? whole : descend(document, 0);
};

const set = (parent: unknown, key: string, value: unknown): unknown =>
  Array.isArray(parent)
    ? parent.with(indexIn(parent.length, key, [key]), value)
    : withMember(asObject(parent, [key]), key, value);

const read = (document: unknown, path: Path): unknown =>
  path.reduce((node: unknown, key) => step(node, key, path), document);

const step = (node: unknown, key: string, path: Path): unknown => {
  if (Array.isArray(node)) return node[indexIn(node.length, key, path)];
  if (isPlainObject(node) && Object.hasOwn(node, key)) return node[key];
  throw missing(path);
};

const asObject = (node: unknown, path: Path): { readonly [key: string]: unknown } => {
  if (isPlainObject(node)) return node;
  throw missing(path);
};

/** An array index below `limit`. RFC 6901 allows no leading zeros and no sign. */
const indexIn = (limit: number, key: string, path: Path): number => {
  if (!/^(?:0|[1-9][0-9]*)$/.test(key)) {
    throw new PatchError('malformed', `'${key}' in '${formatPointer(path)}' is no array index`);
  }
  const index = Number(key);
  if (index < limit) return index;
  throw missing(path);
};

const missing = (path: Path): PatchError => new PatchError('missing', `there is nothing at '${formatPointer(path)}'`);
