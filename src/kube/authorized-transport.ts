import type { Cancel, ResponseHandlers, Transport, TransportRequest } from '../platform/index.ts';
import type { TokenSource } from './token-source.ts';

/**
 * The same transport with a bearer token on every request. After a 401 the token is read again and the request is sent
 * once more: the server has not looked at it then, so that is safe for writes too.
 */
export const authorizedTransport = (transport: Transport, tokens: TokenSource): Transport => ({
  send: (request, handlers) => send({ transport, tokens, request, handlers }),
  close: () => transport.close(),
});

interface Sending {
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly request: TransportRequest;
  readonly handlers: ResponseHandlers;
}

const send = ({ transport, tokens, request, handlers }: Sending): Cancel => {
  let cancelled = false;
  let abort: Cancel = () => undefined;

  const attempt = async (isLast: boolean): Promise<void> => {
    let token: string;
    try {
      token = await tokens.current();
    } catch (error) {
      if (!cancelled) handlers.onEnd(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (cancelled) return;
    let refused = false;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    abort = transport.send(
      { ...request, headers },
      {
        onHead: (head) => {
          refused = head.status === 401 && !isLast;
          if (!refused) handlers.onHead(head);
        },
        onData: (chunk) => {
          if (!refused) handlers.onData(chunk);
        },
        onEnd: (error) => {
          if (!refused || error !== undefined) {
            handlers.onEnd(error);
            return;
          }
          tokens.refused();
          void attempt(true);
        },
      },
    );
  };

  void attempt(false);
  return () => {
    cancelled = true;
    abort();
  };
};
