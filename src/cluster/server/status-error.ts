import { causeOf, type FieldError, messageOf } from './field-error.ts';

/** metav1.Status, fields in the order of the Go struct. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message: string;
  readonly field?: string | undefined;
}

/** Group and name of a resource (`pods`) or a kind (`Pod`), as error messages name it. */
export interface Qualified {
  readonly group: string;
  readonly name: string;
}

export const qualify = (of: Qualified): string => (of.group === '' ? of.name : `${of.name}.${of.group}`);

/** An answer other than success, thrown from wherever it is found out. */
export class StatusError extends Error {
  readonly status: Status;
  readonly code: number;

  constructor(code: number, reason: string | undefined, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details: compact(details) }),
      code,
    };
  }
}

const compact = (details: StatusDetails): StatusDetails => {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
};

const about = (resource: Qualified, name: string): StatusDetails => ({
  name,
  group: resource.group,
  kind: resource.name,
});

export const notFound = (resource: Qualified, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualify(resource)} "${name}" not found`, about(resource, name));

export const alreadyExists = (resource: Qualified, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualify(resource)} "${name}" already exists`, about(resource, name));

export const conflict = (resource: Qualified, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualify(resource)} "${name}": ${why}`,
    about(resource, name),
  );

/** The text of every lost race (registry.OptimisticLockErrorMsg). */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

export const forbidden = (
  resource: Qualified,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): StatusError =>
  new StatusError(403, 'Forbidden', `${qualify(resource)} "${name}" is forbidden: ${why}`, {
    ...about(resource, name),
    causes,
  });

/** 422 with every error as a cause; a message that occurs twice is said once (Go's aggregate does so). */
export const invalid = (kind: Qualified, name: string, errors: readonly FieldError[]): StatusError => {
  const texts = [...new Set(errors.map(messageOf))];
  const text = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualify(kind)} "${name}" is invalid: ${text}`, {
    ...about(kind, name),
    causes: errors.map(causeOf),
  });
};

export const methodNotAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** History before this version is gone. */
export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message);

/** The embedded server knows what is asked for but does not do it. It says so rather than pretend. */
export const notImplemented = (feature: string): StatusError =>
  new StatusError(501, 'NotImplemented', `the embedded cluster does not support ${feature}`);

/** The version is not there yet (storage.NewTooLargeResourceVersionError). */
export const versionTooLarge = (wanted: number, current: number): StatusError =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
