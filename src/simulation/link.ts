import type { Cancel, Platform, ResponseHandlers, Transport, TransportRequest } from '../platform/index.ts';
import { type Disturbance, refusalBody } from './disturbance.ts';

export interface LinkOptions {
  /** The API server as this user reaches it without a network. */
  readonly server: Transport;
  /** The machine of the network, not of the process: what is on the wire outlives who sent it. */
  readonly platform: Pick<Platform, 'timers'>;
  /** How long everything takes, each way, milliseconds. Default 1. */
  readonly latencyMs?: number | undefined;
  /** What goes wrong with a request; asked once for each, when it is sent. Default: nothing. */
  readonly disturb?: ((request: TransportRequest) => Disturbance | undefined) | undefined;
  /** Called at the three moments of every write, with its number from 1. What it cuts there, is cut there. */
  readonly onWrite?: ((moment: WriteMoment, number: number) => void) | undefined;
}

/** Where a process can die around a write: it was not sent; it was committed; its answer was in. */
export type WriteMoment = 'before-send' | 'after-commit' | 'after-reply';

/** A virtual network between one process and the API server. */
export interface Link extends Transport {
  /** The process is gone: nothing passes any more, in either direction, for ever. Not yet delivered requests are lost. */
  cut(): void;
  /** Ends the open watches of a resource (all without one), as an API server does that goes down. */
  closeWatches(plural?: string): void;
  /** Watches of a resource that are open now hear nothing any more, as behind a NAT that forgot them; new ones do. */
  silenceWatches(plural?: string): void;
  /** Watches of a resource stay open and silent, as a half-open connection; what they miss comes when resumed. */
  stallWatches(plural?: string): void;
  resumeWatches(): void;
}

/** Raised by a connection that broke; a request may have been committed. */
const connectionReset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

const isWatchOf = (request: TransportRequest, plural: string | undefined): boolean =>
  request.purpose === 'watch' && (plural === undefined || pluralOf(request.path) === plural);

/** The plural in a request path: `/api/v1/namespaces/a/pods/x/status?…` gives `pods`. */
export const pluralOf = (path: string): string => {
  const [bare = ''] = path.split('?');
  const parts = bare.split('/').filter((part) => part !== '');
  const afterVersion = parts.slice(parts[0] === 'api' ? 2 : 3);
  return (afterVersion[0] === 'namespaces' && afterVersion.length > 2 ? afterVersion[2] : afterVersion[0]) ?? '';
};

/** One request on its way, and what comes back for it, in order. */
interface Exchange {
  readonly request: TransportRequest;
  readonly end: (error?: Error) => void;
  /** The server sees the connection close. */
  readonly hangUp: () => void;
  readonly flow: { stalled: boolean; resume(): void };
}

export const createLink = (options: LinkOptions): Link => {
  const { server, platform, latencyMs = 1 } = options;
  const open = new Set<Exchange>();
  let writes = 0;
  let isCut = false;
  let stalled: { readonly plural: string | undefined } | undefined;

  /** Hands pieces over one by one in the order in which they were put in, each `delayMs` later at the earliest. */
  const inOrder = (delayMs: number) => {
    const waiting: (() => void)[] = [];
    const flow = {
      stalled: false,
      arrived: 0,
      put: (piece: () => void): void => {
        waiting.push(piece);
        platform.timers.after(delayMs, () => {
          flow.arrived++;
          flow.deliver();
        });
      },
      deliver: (): void => {
        while (flow.arrived > 0 && !flow.stalled) {
          flow.arrived--;
          waiting.shift()?.();
        }
      },
      resume: (): void => {
        flow.stalled = false;
        flow.deliver();
      },
    };
    return flow;
  };

  const send = (request: TransportRequest, handlers: ResponseHandlers): Cancel => {
    if (isCut) return () => undefined;
    const number = request.method === 'GET' ? undefined : ++writes;
    const at = (moment: WriteMoment): void => {
      if (number !== undefined) options.onWrite?.(moment, number);
    };
    at('before-send');
    if (isCut) return () => undefined;

    const disturbance = options.disturb?.(request);
    const flow = inOrder(latencyMs + (disturbance?.kind === 'slow-reply' ? disturbance.byMs : 0));
    let finished = false;
    let cancelServer: Cancel = () => undefined;
    /** Passes something on to the process unless it is gone or does not listen any more. */
    const pass = (piece: () => void): void => {
      if (!finished && !isCut) piece();
    };
    const finish = (error?: Error): void =>
      pass(() => {
        finished = true;
        open.delete(exchange);
        handlers.onEnd(error);
        at('after-reply');
      });
    const exchange: Exchange = {
      request,
      end: (error) => flow.put(() => finish(error)),
      hangUp: () => cancelServer(),
      flow,
    };
    open.add(exchange);
    if (stalled !== undefined && isWatchOf(request, stalled.plural)) flow.stalled = true;

    const deliver = (): void => {
      if (isCut || (finished && request.purpose === 'watch')) return;
      const losesReply = disturbance?.kind === 'lose-reply';
      cancelServer = server.send(request, {
        onHead: (head) => {
          if (!losesReply) flow.put(() => pass(() => handlers.onHead(head)));
        },
        onData: (chunk) => {
          if (!losesReply) flow.put(() => pass(() => handlers.onData(chunk)));
        },
        onEnd: (error) => {
          at('after-commit');
          exchange.end(losesReply ? connectionReset() : error);
        },
      });
    };

    switch (disturbance?.kind) {
      case 'lose-request':
        exchange.end(connectionReset());
        break;
      case 'hang':
        break;
      case 'refuse':
        flow.put(() => pass(() => handlers.onHead(refusalBody(disturbance).head)));
        flow.put(() => pass(() => handlers.onData(refusalBody(disturbance).body)));
        exchange.end();
        break;
      default:
        platform.timers.after(latencyMs + (disturbance?.kind === 'slow-request' ? disturbance.byMs : 0), deliver);
    }
    return () => {
      finished = true;
      open.delete(exchange);
      // A request that was sent reaches the server, whether or not anyone still waits for the answer.
      if (request.purpose === 'watch') cancelServer();
    };
  };

  const silenceWatches = (plural?: string): void => {
    for (const { request, flow } of open) if (isWatchOf(request, plural)) flow.stalled = true;
  };

  return {
    send,
    close: async () => {
      for (const exchange of [...open]) exchange.end(connectionReset());
    },
    cut: () => {
      isCut = true;
      for (const { request, hangUp } of open) if (request.purpose === 'watch') hangUp();
      open.clear();
    },
    closeWatches: (plural) => {
      for (const exchange of open) {
        if (!isWatchOf(exchange.request, plural)) continue;
        exchange.hangUp();
        exchange.end();
      }
    },
    silenceWatches,
    stallWatches: (plural) => {
      stalled = { plural };
      silenceWatches(plural);
    },
    resumeWatches: () => {
      stalled = undefined;
      for (const { flow } of open) flow.resume();
    },
  };
};
