import { badRequest } from '../status-error.ts';

/** Where the next page of a list starts, and at which version the whole list is read. */
export interface Continue {
  readonly revision: number;
  /** Keys up to this one, itself included, are done. */
  readonly after: string;
}

export const encodeContinue = ({ revision, after }: Continue): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` })).toString('base64url');

/** Throws 400 in the words of the API server. */
export const decodeContinue = (token: string): Continue => {
  const fault = firstBadByte(token);
  if (fault !== undefined) throw bad(`illegal base64 data at input byte ${fault}`);
  const value: unknown = parse(Buffer.from(token, 'base64url').toString());
  if (typeof value !== 'object' || value === null) throw bad('not an object');
  const { v, rv, start } = value as Readonly<Record<string, unknown>>;
  if (v !== 'meta.k8s.io/v1')
    throw badRequest(
      'invalid continue token: continue key is not valid: server does not recognize this encoded version',
    );
  if (typeof start !== 'string' || start === '' || typeof rv !== 'number') {
    throw bad('encoded start key empty (version meta.k8s.io/v1)');
  }
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start };
};

const bad = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(error instanceof Error ? error.message : String(error));
  }
};

// Without padding a single character at the end stands for no byte.
const firstBadByte = (token: string): number | undefined => {
  const at = token.search(/[^A-Za-z0-9_-]/);
  if (at >= 0) return at;
  return token.length % 4 === 1 ? token.length - 1 : undefined;
};
