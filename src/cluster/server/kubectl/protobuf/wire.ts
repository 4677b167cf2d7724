/** One field of a protobuf message as it stands on the wire: a number, or the bytes of something longer. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

const malformed = (why: string): Error => new Error(`malformed protobuf: ${why}`);

/** The fields of a message in their order. Throws an Error for bytes that are no message, and for groups and fixed-width values, which Kubernetes' messages of this cluster never use. */
export const readFields = (bytes: Uint8Array): readonly WireField[] => {
  const fields: WireField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw malformed('it ends inside a number');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw malformed('a number of more than ten bytes');
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (wireType === 0) {
      fields.push({ number, value: varint() });
    } else if (wireType === 2) {
      const length = Number(varint());
      if (length > bytes.length - at) throw malformed('it ends inside a value');
      fields.push({ number, value: bytes.subarray(at, at + length) });
      at += length;
    } else {
      throw malformed(`field ${number} has wire type ${wireType}`);
    }
  }
  return fields;
};

/** Integers of Kubernetes are `int32` or `int64`: two's complement in 64 bits. */
export const signed = (value: bigint): number => Number(BigInt.asIntN(64, value));
