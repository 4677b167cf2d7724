import { badRequest, StatusError } from '../../status-error.ts';
import { decodeMessage } from './decode.ts';
import { kindMessages } from './kind-messages.ts';
import type { Message } from './message.ts';
import { deleteOptions } from './meta-messages.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** `k8s` and a zero byte open every protobuf body of Kubernetes; a runtime.Unknown follows. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

const unknownMessage: Message = {
  typeMeta: [1, { message: { apiVersion: [1, 'string'], kind: [2, 'string'] } }],
  raw: [2, 'bytes'],
  contentEncoding: [3, 'string'],
};

/**
 * The object of a protobuf body, as JSON. Typed Go clients send such bodies since kubectl 1.32 and do not fall back to
 * JSON, so the messages they send to this cluster are known here. Throws a StatusError: 400 for bytes that cannot be read, 415 for
 * a kind without a table.
 */
export const decodeProtobuf = (body: Uint8Array): Readonly<Record<string, unknown>> => {
  if (magic.some((byte, index) => body[index] !== byte)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  try {
    const { typeMeta, raw } = decodeMessage(unknownMessage, body.subarray(magic.length));
    const { apiVersion = '', kind = '' } = (typeMeta ?? {}) as { apiVersion?: string; kind?: string };
    const message = kind === 'DeleteOptions' ? deleteOptions : kindMessages[`${apiVersion}/${kind}`];
    if (message === undefined) throw unknownKind(apiVersion, kind);
    return { kind, apiVersion, ...decodeMessage(message, Buffer.from(String(raw ?? ''), 'base64')) };
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
};

const unknownKind = (apiVersion: string, kind: string): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the embedded cluster reads ${kind || 'this kind'} (${apiVersion || 'no apiVersion'}) as JSON only, not as ${protobufMediaType}; ` +
      'apply it from a manifest instead',
  );
