import { isStatus, type Status, type StatusDetails } from './status.ts';

/** What went wrong, as a caller tells cases apart. Part of the interface: a code keeps its meaning. */
export type ApiErrorCode =
  /** 400, 405, 406, 415 and every other 4xx without a code of its own: the request itself is wrong. */
  | 'bad-request'
  /** 401: the credentials are missing, wrong or expired. */
  | 'unauthorized'
  /** 403: RBAC, an admission plugin or a terminating namespace says no. */
  | 'forbidden'
  /** 404: no such object, or no such resource. */
  | 'not-found'
  /** 409 on a create. */
  | 'already-exists'
  /** 409: the object is not the one, or not in the state, that the request was decided on. */
  | 'conflict'
  /** 410: the resourceVersion or the continue token is too old. */
  | 'gone'
  /** 422: validation refused the object. */
  | 'invalid'
  /** 429: the server does not take it now; it did nothing. */
  | 'too-many-requests'
  /** No answer in time (here, or 504 from the server). A write may have happened. */
  | 'timeout'
  /** 503. */
  | 'unavailable'
  /** Any other 5xx. A write may have happened. */
  | 'internal'
  /** No connection, or it broke. A write may have happened. */
  | 'unreachable'
  /** An answer that is not what the API promises. */
  | 'malformed';

/**
 * What helps: `back-off` and ask again later, as the cause passes by itself; `read-again`, as the world differs from
 * what was assumed, so the same request is wrong; `never`, as someone has to change something first.
 */
export type RetryAdvice = 'back-off' | 'read-again' | 'never';

const adviceOf = (code: ApiErrorCode): RetryAdvice => {
  switch (code) {
    case 'too-many-requests':
    case 'timeout':
    case 'unavailable':
    case 'internal':
    case 'unreachable':
      return 'back-off';
    case 'not-found':
    case 'already-exists':
    case 'conflict':
    case 'gone':
      return 'read-again';
    case 'bad-request':
    case 'unauthorized':
    case 'forbidden':
    case 'invalid':
    case 'malformed':
      return 'never';
  }
};

interface ApiErrorFields {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A request that failed, or the ERROR event that ended a watch. The only error that leaves a `KubeClient`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** HTTP status; absent where no answer came. */
  readonly status: number | undefined;
  /** The reason of the server's Status (`Conflict`, `Expired`, …). */
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly retry: RetryAdvice;

  constructor(fields: ApiErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.status = fields.status;
    this.reason = fields.reason;
    this.details = fields.details;
    this.retryAfterMs = fields.retryAfterMs;
    this.retry = adviceOf(fields.code);
  }
}

/** True for an ApiError, and where codes are given only for one of these. */
export const isApiError = (error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

const codeOf = (status: number, reason: string | undefined): ApiErrorCode => {
  if (reason === 'AlreadyExists') return 'already-exists';
  switch (status) {
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    case 410:
      return 'gone';
    case 422:
      return 'invalid';
    case 429:
      return 'too-many-requests';
    case 503:
      return 'unavailable';
    case 504:
      return 'timeout';
    default:
      return status >= 500 ? 'internal' : 'bad-request';
  }
};

/** The error that a Status of the server stands for; `httpStatus` counts where the Status has no code of its own. */
export const errorOfStatus = (status: Status, httpStatus?: number, retryAfterMs?: number): ApiError => {
  const code = status.code ?? httpStatus ?? 500;
  const seconds = status.details?.retryAfterSeconds;
  return new ApiError({
    code: codeOf(code, status.reason),
    status: code,
    reason: status.reason,
    message: status.message ?? `the API server answered ${code}${status.reason ? ` ${status.reason}` : ''}`,
    details: status.details,
    retryAfterMs: retryAfterMs ?? (seconds ? seconds * 1000 : undefined),
  });
};

/** The error of an answer with a status of 300 or more. Proxies, and the server for unknown paths, answer plain text. */
export const errorOfAnswer = (httpStatus: number, body: string, retryAfterMs: number | undefined): ApiError => {
  const parsed = parsedOrUndefined(body);
  if (isStatus(parsed)) return errorOfStatus(parsed, httpStatus, retryAfterMs);
  const text = body.trim().slice(0, 500);
  return new ApiError({
    code: codeOf(httpStatus, undefined),
    status: httpStatus,
    message: `the API server answered ${httpStatus}${text === '' ? '' : `: ${text}`}`,
    retryAfterMs,
  });
};

const parsedOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Turns whatever was thrown or passed to `onEnd` into an ApiError, once; an ApiError stays what it is. */
export const toApiError = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const machineCode = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (/TIMEOUT|TIMEDOUT/.test(machineCode)) {
    return new ApiError({ code: 'timeout', message: `no answer from the API server in time: ${message}`, cause });
  }
  return new ApiError({ code: 'unreachable', message: `cannot reach the API server: ${message}`, cause });
};
