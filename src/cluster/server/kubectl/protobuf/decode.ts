import type { FieldType, Message } from './message.ts';
import { readFields, signed, type WireField } from './wire.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A message as the JSON that Kubernetes writes for it. Fields the table does not know are skipped, as protobuf wants. */
export const decodeMessage = (message: Message, bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  const byNumber = new Map(Object.entries(message).map(([name, [number, type]]) => [number, { name, type }]));
  const out: Record<string, unknown> = {};
  for (const wire of readFields(bytes)) {
    const field = byNumber.get(wire.number);
    if (field === undefined) continue;
    out[field.name] = merge(out[field.name], field.type, wire);
    if (out[field.name] === undefined) delete out[field.name];
  }
  return out;
};

const merge = (before: unknown, type: FieldType, wire: WireField): unknown => {
  if (typeof type === 'object' && 'list' in type) {
    return [...(Array.isArray(before) ? before : []), itemOf(type.list, wire)];
  }
  if (typeof type === 'object' && 'map' in type) {
    const { key, value } = decodeMessage({ key: [1, 'string?'], value: [2, kept(type.map)] }, bytesOf(wire));
    return { ...(before as object | undefined), [typeof key === 'string' ? key : '']: value ?? '' };
  }
  return scalarOrMessage(type, wire);
};

/** Items of lists and values of maps exist even where they are zero. */
const itemOf = (type: FieldType, wire: WireField): unknown => scalarOrMessage(kept(type), wire) ?? {};

const kept = (type: FieldType): FieldType =>
  type === 'string' || type === 'integer' || type === 'boolean' ? `${type}?` : type;

const scalarOrMessage = (type: FieldType, wire: WireField): unknown => {
  if (typeof type === 'object') {
    if (!('message' in type)) throw new Error('malformed protobuf: a list within a list');
    return decodeMessage(type.message, bytesOf(wire));
  }
  switch (type) {
    case 'string':
      return utf8.decode(bytesOf(wire)) || undefined;
    case 'string?':
      return utf8.decode(bytesOf(wire));
    case 'integer':
      return signed(numberOf(wire)) || undefined;
    case 'integer?':
      return signed(numberOf(wire));
    case 'boolean':
      return numberOf(wire) !== 0n || undefined;
    case 'boolean?':
      return numberOf(wire) !== 0n;
    case 'time':
      return timeOf(bytesOf(wire), 0);
    case 'microTime':
      return timeOf(bytesOf(wire), 6);
    case 'bytes':
      return Buffer.from(bytesOf(wire)).toString('base64');
    case 'json': {
      const raw = readFields(bytesOf(wire)).find(({ number }) => number === 1);
      return raw === undefined ? undefined : JSON.parse(utf8.decode(bytesOf(raw)));
    }
    case 'intOrString': {
      const parts = decodeMessage({ type: [1, 'integer'], int: [2, 'integer'], text: [3, 'string'] }, bytesOf(wire));
      return parts['type'] === 1 ? (parts['text'] ?? '') : (parts['int'] ?? 0);
    }
  }
};

/** The zero time of Go is an empty message; JSON leaves it out. */
const timeOf = (bytes: Uint8Array, digits: 0 | 6): string | undefined => {
  const { seconds, nanos } = decodeMessage({ seconds: [1, 'integer?'], nanos: [2, 'integer?'] }, bytes);
  if (typeof seconds !== 'number') return undefined;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  const micros = Math.floor((typeof nanos === 'number' ? nanos : 0) / 1000);
  return digits === 0 ? `${whole}Z` : `${whole}.${String(micros).padStart(6, '0')}Z`;
};

const bytesOf = ({ number, value }: WireField): Uint8Array => {
  if (typeof value === 'bigint') throw new Error(`malformed protobuf: field ${number} is a number`);
  return value;
};

const numberOf = ({ number, value }: WireField): bigint => {
  if (typeof value !== 'bigint') throw new Error(`malformed protobuf: field ${number} is not a number`);
  return value;
};
