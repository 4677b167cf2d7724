import type { KubeObject } from '../objects/index.ts';
import type { Cancel, Platform, ResponseHead, Transport } from '../platform/index.ts';
import type { WatchHandlers } from './client-types.ts';
import { ApiError, toApiError } from './errors.ts';
import { errorOf } from './exchange.ts';
import { createLineSplitter } from './line-splitter.ts';
import { decodeWatchLine } from './watch-stream.ts';

interface OpenWatch {
  readonly transport: Transport;
  readonly platform: Pick<Platform, 'timers'>;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long to wait for the head of the answer, milliseconds. The stream after it has no limit here. */
  readonly timeoutMs: number;
}

/**
 * Opens one watch. `onEnd` comes exactly once, unless cancelled; its error is always an ApiError. An ERROR event is
 * handed out as an event and ends the stream with the same error.
 */
export const openWatch = <T extends KubeObject>(watch: OpenWatch, handlers: WatchHandlers<T>): Cancel => {
  // A failed watch answers like any failed request: its body is collected and becomes the error.
  const failure: Uint8Array[] = [];
  let head: ResponseHead | undefined;
  let over = false;
  let abort: Cancel = () => undefined;

  const end = (error?: Error): void => {
    if (over) return;
    over = true;
    disarm();
    abort();
    handlers.onEnd(error);
  };

  const lines = createLineSplitter((line) => {
    if (over) return;
    const event = decodeWatchLine<T>(line);
    handlers.onEvent(event);
    if (event.type === 'ERROR') end(event.error);
  });

  const disarm = watch.platform.timers.after(watch.timeoutMs, () =>
    end(
      new ApiError({ code: 'timeout', message: `the API server did not accept a watch within ${watch.timeoutMs} ms` }),
    ),
  );

  const request = { method: 'GET', path: watch.path, headers: watch.headers, purpose: 'watch' } as const;
  const cancel = watch.transport.send(request, {
    onHead: (received) => {
      if (over) return;
      head = received;
      disarm();
      if (received.status < 300) handlers.onOpen?.();
    },
    onData: (chunk) => {
      if (over || head === undefined) return;
      if (head.status >= 300) {
        failure.push(chunk);
        return;
      }
      try {
        lines.push(chunk);
      } catch (error) {
        end(toApiError(error));
      }
    },
    onEnd: (error) => {
      if (error !== undefined) end(toApiError(error));
      else if (head !== undefined && head.status >= 300) {
        end(errorOf({ head, body: Buffer.concat(failure).toString('utf8') }));
      } else if (lines.rest().length > 0) end(toApiError(new Error('the watch was cut off within a line')));
      else end();
    },
  });
  abort = cancel;
  if (over) cancel();

  return () => {
    over = true;
    disarm();
    cancel();
  };
};
