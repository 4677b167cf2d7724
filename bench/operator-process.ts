import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../src/kube/index.ts';
import { createOperator } from '../src/operator/index.ts';
import { nodePlatform, nodeTransport, type ResponseHandlers, type Transport } from '../src/platform/index.ts';
import { decide, seePod } from '../src/rollout/index.ts';

/** How an operator reaches its API server. */
export interface ServerAddress {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  /** ModelServings handled at the same time. Default: the operator's own. */
  readonly workers?: number | undefined;
}

/** What an operator process says of itself, counted from its start. */
export interface ProcessReport {
  /** Of all its threads, milliseconds. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** The highest since the last report. */
  readonly peakRssBytes: number;
  readonly heapBytes: number;
  /** Requests other than GET. */
  readonly writesSent: number;
  readonly reads: number;
  /** Answers to writes that are errors, by `409 POST /api/v1/namespaces/…`-like keys without names. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface OperatorProcess {
  report(): Promise<ProcessReport>;
  stop(): Promise<void>;
}

/** Starts the operator in a process of its own; resolves when it decides. */
export const startOperatorProcess = async (address: ServerAddress): Promise<OperatorProcess> => {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(address)], { stdio: 'inherit' });
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const fail = (code: number | null): void => reject(new Error(`the operator ended with ${code}`));
      child.once('exit', fail);
      child.once('message', (message) => {
        child.off('exit', fail);
        resolve(message);
      });
    });
  await next();
  return {
    report: async () => {
      const answer = next();
      child.send('report');
      return (await answer) as ProcessReport;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
};

interface Tally {
  writesSent: number;
  reads: number;
  readonly refused: Map<string, number>;
}

/** Counts what passes. */
const counted = (inner: Transport, tally: Tally): Transport => ({
  close: inner.close,
  send: (request, handlers) => {
    if (request.method === 'GET') {
      tally.reads += 1;
      return inner.send(request, handlers);
    }
    tally.writesSent += 1;
    const onHead: ResponseHandlers['onHead'] = (head) => {
      if (head.status >= 400) {
        const key = `${head.status} ${request.method} ${request.path.replace(/\/[^/]*\?.*$|\?.*$/, '')}`;
        tally.refused.set(key, (tally.refused.get(key) ?? 0) + 1);
      }
      handlers.onHead(head);
    };
    return inner.send(request, { onHead, onData: handlers.onData, onEnd: handlers.onEnd });
  },
});

const runOperator = async (address: ServerAddress): Promise<void> => {
  const tally: Tally = { writesSent: 0, reads: 0, refused: new Map() };
  const operator = createOperator({
    transport: counted(nodeTransport(address), tally),
    platform: nodePlatform(),
    log: silentLog,
    decide,
    seePod,
    options: address.workers === undefined ? {} : { concurrency: address.workers },
  });
  let peakRssBytes = 0;
  setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  }, 100).unref();
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const report: ProcessReport = {
      cpuMs: (user + system) / 1000,
      rssBytes: rss,
      peakRssBytes: Math.max(peakRssBytes, rss),
      heapBytes: heapUsed,
      writesSent: tally.writesSent,
      reads: tally.reads,
      refused: Object.fromEntries(tally.refused),
    };
    peakRssBytes = 0;
    process.send?.(report);
  });
  // Ends with whoever started it.
  process.on('disconnect', () => process.exit());
  await operator.start();
  process.send?.('running');
};

const [, script, address] = process.argv;
if (script === fileURLToPath(import.meta.url) && address !== undefined) await runOperator(JSON.parse(address));
