import { isMap, isNode, LineCounter, type Node, parseDocument } from 'yaml';

/** A kubeconfig that cannot be used: one sentence that says what is wrong, where, and what to do. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

/** One file, read and parsed, that knows where in it each of its values stands. */
export interface KubeconfigFile {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** `file:line:column` of the value at this path, or of the deepest part of the path that exists. */
  where(path: readonly (string | number)[]): string;
}

/** Throws a KubeconfigError for text that is no YAML or no mapping. An empty file is an empty kubeconfig, as in kubectl. */
export const parseKubeconfigFile = (path: string, text: string): KubeconfigFile => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new KubeconfigError(
      `${at(problem.pos[0])}: this kubeconfig is not valid YAML (${problem.message}); correct it`,
    );
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new KubeconfigError(
      `${at(0)}: this is not a kubeconfig, which is a mapping with clusters, users and contexts`,
    );
  }
  return {
    path,
    value: asRecord(document.toJS()),
    where: (keys) => at(nodeAt(document.contents, keys)?.range?.[0] ?? 0),
  };
};

const nodeAt = (root: Node | null, keys: readonly (string | number)[]): Node | undefined => {
  let found: Node | undefined = root ?? undefined;
  for (const key of keys) {
    const next: unknown = found !== undefined && 'get' in found ? found.get(key, true) : undefined;
    if (!isNode(next)) return found;
    found = next;
  }
  return found;
};

export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
