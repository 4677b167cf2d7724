/**
 * A Kubernetes quantity (`500m`, `1.5Gi`, `2e3`), exact in billionths. The format decides how it is written, never what
 * it is worth: `1Gi` and `1073741824` are equal.
 *
 * Rules: k8s.io/apimachinery pkg/api/resource. Values finer than a billionth round away from zero; a binary quantity is
 * never larger than 2^63 - 1.
 */
export interface Quantity {
  /** The value times 10^9. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export type QuantityFormat = 'binary' | 'decimal' | 'exponent';

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const NANO = 1_000_000_000n;
const LARGEST_BINARY = ((1n << 63n) - 1n) * NANO;

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([a-zA-Z]{0,2})([+-]?[0-9]*)$/;

/** The parts of a quantity's text. */
interface Parts extends Scale {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

interface Scale {
  readonly format: QuantityFormat;
  readonly base: bigint;
  readonly power: number;
}

const partsOf = (text: string | number): Parts => {
  const match = text === '' ? null : shape.exec(String(text));
  if (match === null) throw wrongFormat(text);
  const [, sign, whole = '', fraction = '', suffix = '', exponent = ''] = match;
  return { negative: sign === '-', whole, fraction, ...scaleOf(text, suffix, exponent) };
};

/**
 * Reads a quantity. JSON numbers are accepted, and a missing number counts as 0 (`Mi`), as the API server has it.
 * Throws a QuantityError for anything else.
 */
export const parseQuantity = (text: string | number): Quantity => {
  const { negative, whole, fraction, format, base, power } = partsOf(text);
  const digits = BigInt(whole + fraction); // 0 for no digits at all
  // An exponent that no value needs would only make an astronomically large BigInt.
  const bounded = Math.max(-400, Math.min(400, power));
  const numerator = digits * NANO * (bounded > 0 ? base ** BigInt(bounded) : 1n);
  const denominator = 10n ** BigInt(fraction.length) * (bounded < 0 ? base ** BigInt(-bounded) : 1n);
  const rounded = (numerator + denominator - 1n) / denominator;
  const magnitude = format === 'binary' && rounded > LARGEST_BINARY ? LARGEST_BINARY : rounded;
  return { nano: negative ? -magnitude : magnitude, format };
};

const scaleOf = (text: string | number, suffix: string, exponent: string): Scale => {
  if (/^[eE]$/.test(suffix) && exponent !== '') {
    if (!/[0-9]/.test(exponent)) throw new QuantityError(`unable to parse quantity's suffix: ${text}`);
    return { format: 'exponent', base: 10n, power: Number(exponent) };
  }
  if (exponent !== '') throw wrongFormat(text);
  const binary = Object.hasOwn(binaryExponents, suffix) ? binaryExponents[suffix] : undefined;
  if (binary !== undefined) return { format: 'binary', base: 2n, power: binary };
  const decimal = Object.hasOwn(decimalExponents, suffix) ? decimalExponents[suffix] : undefined;
  if (decimal !== undefined) return { format: 'decimal', base: 10n, power: decimal };
  throw new QuantityError(`unable to parse quantity's suffix: ${text}`);
};

const wrongFormat = (text: string | number): QuantityError =>
  new QuantityError(
    `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$', got '${text}'`,
  );

/** Negative, zero or positive, as a is less than, equal to or greater than b. */
export const compareQuantities = (a: Quantity, b: Quantity): number => (a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0);

export const quantitiesEqual = (a: Quantity, b: Quantity): boolean => a.nano === b.nano;

/** The sum, in the format of the first that is not zero. */
export const addQuantities = (a: Quantity, b: Quantity): Quantity => ({
  nano: a.nano + b.nano,
  format: a.nano === 0n ? b.format : a.format,
});

/** `times` must be an integer. */
export const multiplyQuantity = (quantity: Quantity, times: number): Quantity => ({
  nano: quantity.nano * BigInt(times),
  format: quantity.format,
});

/**
 * The canonical spelling: no fraction, the largest suffix that keeps the value exact. A
 * binary quantity below 1024, or with a fraction, is written as a decimal one.
 */
export const formatQuantity = (quantity: Quantity): string => {
  const { nano, format } = quantity;
  if (nano === 0n) return '0';
  const magnitude = nano < 0n ? -nano : nano;
  const sign = nano < 0n ? '-' : '';
  if (format === 'binary' && magnitude % NANO === 0n && magnitude >= 1024n * NANO) {
    return sign + formatBinary(magnitude / NANO);
  }
  return sign + formatDecimal(magnitude, format);
};

/**
 * The text that the API server stores for a text: the canonical one, except that Go keeps a spelling that its quick look
 * takes for canonical (`1500Mi`, `1E3`, `5.`). Throws a QuantityError.
 */
export const canonicalQuantity = (text: string | number): string =>
  keepsSpelling(partsOf(text)) || text === '0' ? String(text) : formatQuantity(parseQuantity(text));

/** The conditions of ParseQuantity's fast path: few enough digits, and no factor that a larger suffix could take. */
const keepsSpelling = ({ whole, fraction, format, power }: Parts): boolean => {
  const number = whole.replace(/^0+/, '') || '0';
  const digits = number + fraction;
  if (format === 'binary') {
    const fits = fraction === '' && 15 - number.length - Math.trunc((power * 3) / 10) - 1 >= 0;
    return fits && BigInt(number) % 8n !== 0n;
  }
  const scale = power - fraction.length;
  const fits = digits.length <= 18 && scale >= -9;
  return fits && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
};

const formatBinary = (value: bigint): string => {
  let rest = value;
  let power = 0;
  while (power < 60 && rest % 1024n === 0n) {
    rest /= 1024n;
    power += 10;
  }
  return `${rest}${suffixFor(binaryExponents, power)}`;
};

const formatDecimal = (nano: bigint, format: QuantityFormat): string => {
  let rest = nano;
  let exponent = -9;
  while ((exponent < 18 || format === 'exponent') && rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  if (format === 'exponent') return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
  return `${rest}${suffixFor(decimalExponents, exponent)}`;
};

const suffixFor = (table: Readonly<Record<string, number>>, exponent: number): string =>
  Object.keys(table).find((suffix) => table[suffix] === exponent) ?? '';
