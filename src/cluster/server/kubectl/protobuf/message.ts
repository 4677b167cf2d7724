/**
 * What a field of a message is. A plain scalar stands for a Go value that is always on the wire and omitted from JSON
 * when zero; with `?` it is kept, zero or not: a pointer (on the wire only where it is set), or a value that JSON
 * always shows.
 */
export type FieldType =
  | 'string'
  | 'string?'
  | 'integer'
  | 'integer?'
  | 'boolean'
  | 'boolean?'
  /** metav1.Time, whole seconds. */
  | 'time'
  /** metav1.MicroTime. */
  | 'microTime'
  /** Bytes, base64 in JSON. */
  | 'bytes'
  /** A message whose first field is JSON text: FieldsV1. */
  | 'json'
  | 'intOrString'
  | { readonly message: Message }
  | { readonly list: FieldType }
  /** A map with string keys. */
  | { readonly map: FieldType };

/** A message by the names of its JSON fields: number on the wire, type. */
export type Message = Readonly<Record<string, readonly [number: number, type: FieldType]>>;
