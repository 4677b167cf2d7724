import { readFileSync } from 'node:fs';
import type { ApiServer } from '../../src/cluster/server/index.ts';
import { isStream, requestOf, type ServerOutcome, textOf } from '../../src/cluster/server/index.ts';
import type { VirtualPlatform } from '../../src/simulation/index.ts';
import { preparations } from './preparations.ts';

/** One request to a real API server with its answer, as recorded. */
export interface Exchange {
  readonly note: string;
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly contentType?: string;
    readonly accept?: string;
    readonly body?: unknown;
  };
  readonly response: RecordedAnswer;
}

export interface RecordedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings?: readonly string[];
  readonly retryAfter?: string;
}

export const readExchanges = (): readonly Exchange[] =>
  JSON.parse(readFileSync(new URL('../fixtures/kubernetes/exchanges.json', import.meta.url), 'utf8')).exchanges;

/** Sends the recorded requests in order, with what happened between them, and returns the answers. */
export const replay = async (
  server: ApiServer,
  platform: VirtualPlatform,
  exchanges: readonly Exchange[],
): Promise<readonly RecordedAnswer[]> => {
  const answers: RecordedAnswer[] = [];
  for (const exchange of exchanges) {
    const before = preparations(exchange.note);
    await platform.advance(before.passMs);
    for (const request of before.requests) {
      const answer = await send(server, platform, request);
      if (answer.status >= 300) throw new Error(`before "${exchange.note}": ${JSON.stringify(answer.body)}`);
    }
    answers.push(await send(server, platform, resolved(exchange.request, answers, exchanges)));
  }
  return answers;
};

type Recorded = Exchange['request'];

const send = async (server: ApiServer, platform: VirtualPlatform, request: Recorded): Promise<RecordedAnswer> => {
  const outcome = server.handle(
    requestOf(
      {
        method: request.method,
        path: request.path,
        purpose: 'request',
        headers: {
          ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
          ...(request.accept === undefined ? {} : { accept: request.accept }),
        },
        body: request.body === undefined ? undefined : spaced(request.body),
      },
      'recorder',
    ),
  );
  const { warning, 'retry-after': retryAfter } = outcome.headers ?? {};
  return {
    status: outcome.status,
    body: isStream(outcome) ? await linesOf(outcome, platform) : parsed(outcome),
    ...(warning === undefined ? {} : { warnings: [warning] }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
};

/** JSON with a blank after each comma and colon, as the recorder wrote it. A ControllerRevision keeps such bytes. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${spaced(item)}`)
    .join(', ')}}`;
};

/** A recorded watch is the list of its lines until it timed out, about two seconds, which then are over again. */
const linesOf = async (
  outcome: Extract<ServerOutcome, { open: unknown }>,
  platform: VirtualPlatform,
): Promise<unknown> => {
  const lines: unknown[] = [];
  let over = false;
  outcome.open({
    write: (text) => lines.push(JSON.parse(text)),
    end: () => {
      over = true;
    },
  });
  await platform.runUntil(() => over, { timeoutMs: 10_000 });
  return lines;
};

const parsed = (outcome: Exclude<ServerOutcome, { open: unknown }>): unknown =>
  typeof outcome.body === 'string' ? outcome.body : JSON.parse(textOf(outcome.body));

/** Where the values come from that a request takes over from an earlier answer. */
const sources: Readonly<Record<string, (answerTo: (note: string) => unknown) => unknown>> = {
  P1RV: (answerTo) => metadataOf(answerTo('create a Pod: defaults, generation, status'))['resourceVersion'],
  P1UID: (answerTo) => metadataOf(answerTo('create a Pod: defaults, generation, status'))['uid'],
  // The version that `PUT without resourceVersion` has just made old.
  CRV: (answerTo) => Number(metadataOf(answerTo('PUT without resourceVersion: allowed here'))['resourceVersion']) - 1,
  CONT: (answerTo) => metadataOf(answerTo('list with a limit'))['continue'],
  LRV: (answerTo) => metadataOf(answerTo('list with a selector'))['resourceVersion'],
};

const resolved = (request: Recorded, answers: readonly RecordedAnswer[], exchanges: readonly Exchange[]): Recorded => {
  const answerTo = (note: string): unknown => answers[exchanges.findIndex((one) => one.note === note)]?.body;
  const text = JSON.stringify(request).replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const source = sources[name];
    if (source === undefined) throw new Error(`nobody knows \${${name}}`);
    return String(source(answerTo));
  });
  return JSON.parse(text);
};

const metadataOf = (body: unknown): Readonly<Record<string, unknown>> =>
  (body as { readonly metadata: Readonly<Record<string, unknown>> }).metadata;
