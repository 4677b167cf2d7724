import {
  type FieldError,
  IntOrPercentError,
  type IntOrString,
  invalid,
  resolveIntOrPercent,
} from '../../objects/index.ts';

/** A count from 0, or a percentage from 0% to 100%. */
export const intOrPercentErrors = (path: string, value: IntOrString): readonly FieldError[] => {
  if (typeof value === 'number') return value < 0 ? [invalid(path, value, 'must be a non-negative integer')] : [];
  const percent = /^([0-9]+)%$/.exec(value)?.[1];
  if (percent === undefined) {
    return [
      invalid(
        path,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ];
  }
  return Number(percent) > 100 ? [invalid(path, value, 'must be a valid percent value (0-100)')] : [];
};

/** The count that the value stands for, undefined where it stands for none. */
export const resolve = (value: IntOrString, total: number, rounding: 'up' | 'down'): number | undefined => {
  try {
    return resolveIntOrPercent(value, total, rounding);
  } catch (error) {
    if (error instanceof IntOrPercentError) return undefined;
    throw error;
  }
};

/** Why Kubernetes' own library cannot resolve a text, in its words; undefined if it can. */
export const resolutionProblem = (value: string): string | undefined => {
  if (!value.endsWith('%')) return 'invalid value for IntOrString: invalid type: string is not a percentage';
  const digits = value.slice(0, -1);
  if (/^[-+]?[0-9]+$/.test(digits)) return undefined;
  const quoted = JSON.stringify(digits);
  return `invalid value for IntOrString: invalid value ${JSON.stringify(value)}: strconv.Atoi: parsing ${quoted}: invalid syntax`;
};
