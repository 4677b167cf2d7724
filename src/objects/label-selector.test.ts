import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelSelector, requirementsOf, SelectorError } from './label-selector.ts';
import { compileSelectorText, parseLabelSelector } from './parse-label-selector.ts';

const labels = { app: 'llm', tier: 'gold', size: '10', empty: '' };

describe('the string form of a label selector', () => {
  it.each([
    '',
    'app',
    'app=llm',
    'app==llm',
    ' app = llm , tier!=silver ',
    'app in (llm, other)',
    'app notin (x,y)',
    'missing notin (x)',
    'missing!=x',
    '!missing',
    'size>9',
    'size<11',
    'empty=',
    'empty in ()',
    'empty in (,x)',
    'missing!=',
  ])('%j selects', (text) => {
    expect(compileSelectorText(text)(labels)).toBe(true);
  });

  it.each(['missing', '!app', 'app=other', 'app!=llm', 'app notin (llm)', 'size>10', 'app>1', 'missing<1', 'missing='])(
    '%j does not select',
    (text) => {
      expect(compileSelectorText(text)(labels)).toBe(false);
    },
  );

  it.each([
    ['==a', "found '==', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,=', "found '=', expected: identifier after ','"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a>x', "for 'Gt', 'Lt' operators, the value must be an integer"],
    ['-a=b', 'unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of'],
    ['a/b/c=b', 'unable to parse requirement: <nil>: Invalid value: "a/b/c": a qualified name must consist of'],
    ['/b', 'prefix part must be non-empty'],
    ['a=-b', 'unable to parse requirement: values[0][a]: Invalid value: "-b": a valid label must be'],
  ])('%j is refused with the words of the API server', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(SelectorError);
    expect(() => parseLabelSelector(text)).toThrow(message);
  });

  it('takes keywords for words where no operator can stand', () => {
    expect(compileSelectorText('in in (notin)')({ in: 'notin' })).toBe(true);
  });

  it('fails with a SelectorError or not at all', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'ab=!<>(), /in-') });
    fc.assert(
      fc.property(noise, (text) => {
        try {
          parseLabelSelector(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SelectorError);
        }
      }),
    );
  });
});

describe('a LabelSelector object', () => {
  it('selects nothing where it is absent and everything where it is empty', () => {
    expect(compileLabelSelector(undefined)(labels)).toBe(false);
    expect(compileLabelSelector({})(undefined)).toBe(true);
  });

  it('demands all of its labels and expressions', () => {
    const selects = compileLabelSelector({
      matchLabels: { app: 'llm' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['gold', 'silver'] },
        { key: 'debug', operator: 'DoesNotExist' },
      ],
    });
    expect(selects(labels)).toBe(true);
    expect(selects({ ...labels, debug: '' })).toBe(false);
    expect(selects({ app: 'llm' })).toBe(false);
  });

  it('does not take an inherited member for a label', () => {
    expect(compileLabelSelector({ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] })({})).toBe(false);
  });

  it('is refused where it is malformed', () => {
    expect(() => requirementsOf({ matchExpressions: [{ key: 'a', operator: 'Near' }] })).toThrow(
      '"Near" is not a valid label selector operator',
    );
    expect(() => requirementsOf({ matchExpressions: [{ key: 'a', operator: 'In', values: [] }] })).toThrow(
      "values set can't be empty",
    );
    expect(() => requirementsOf({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] })).toThrow(
      'values set must be empty',
    );
  });
});
