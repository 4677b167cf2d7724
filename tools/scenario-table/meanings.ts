import { readFileSync } from 'node:fs';

type ById<Value> = Readonly<Record<string, Value>>;

/** `meanings.json`: what is asked for, in our own words, and why some of it is not here. */
export interface Meanings {
  readonly scenarios: ById<string>;
  readonly cases: ById<string>;
  readonly upstream: ById<string>;
  /** Tests whose names do not begin with the id that they show. */
  readonly elsewhere: ById<{ readonly file: string; readonly name: string }>;
  /** Ids without a test, and the reason. */
  readonly missing: ById<string>;
  /** Ids of which a test shows a part, and what it leaves out. */
  readonly partly: ById<string>;
}

export const readMeanings = (): Meanings =>
  JSON.parse(readFileSync(new URL('meanings.json', import.meta.url), 'utf8')) as Meanings;
