import type { Cancel, Platform, ResponseHead, Transport, TransportRequest } from '../platform/index.ts';
import { ApiError, errorOfAnswer, toApiError } from './errors.ts';

export interface Answer {
  readonly head: ResponseHead;
  readonly body: string;
}

interface ExchangeOptions {
  readonly transport: Transport;
  readonly platform: Pick<Platform, 'timers'>;
  readonly timeoutMs: number;
}

/**
 * Sends one request and collects the whole answer, whatever its status. Rejects with an ApiError where no whole answer
 * comes within `timeoutMs`.
 */
export const exchange = (options: ExchangeOptions, request: TransportRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let head: ResponseHead | undefined;
    let abort: Cancel = () => undefined;
    const disarm = options.platform.timers.after(options.timeoutMs, () => {
      abort();
      const message = `no answer from the API server within ${options.timeoutMs} ms: ${describe(request)}`;
      reject(new ApiError({ code: 'timeout', message }));
    });
    abort = options.transport.send(request, {
      onHead: (received) => {
        head = received;
      },
      onData: (chunk) => {
        chunks.push(chunk);
      },
      onEnd: (error) => {
        disarm();
        if (error !== undefined) reject(toApiError(error));
        else if (head === undefined) reject(toApiError(new Error('the connection ended before an answer')));
        else resolve({ head, body: Buffer.concat(chunks).toString('utf8') });
      },
    });
  });

/** The error that a failed answer stands for, or undefined for a good one. */
export const errorOf = (answer: Answer): ApiError | undefined =>
  answer.head.status < 300 ? undefined : errorOfAnswer(answer.head.status, answer.body, retryAfterOf(answer.head));

/** Milliseconds the server asks to wait. It sends whole seconds; a date, which HTTP also allows, is ignored. */
const retryAfterOf = (head: ResponseHead): number | undefined => {
  const value = head.headers['retry-after'];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
};

const describe = (request: TransportRequest): string => `${request.method} ${request.path.split('?', 1)[0] ?? ''}`;
