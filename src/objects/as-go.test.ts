import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonEqual } from './equal.ts';
import { fnv1, safeEncode } from './fnv.ts';
import { stringifyAsGo } from './go-json.ts';
import { defaultPullPolicy, normaliseImage, parseImageReference } from './image-reference.ts';
import { podTemplateMeaning } from './meaning/pod-template-meaning.ts';
import { compileSelectorText } from './parse-label-selector.ts';
import { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts';
import type { PlainObject } from './plain-object.ts';
import { canonicalQuantity } from './quantity.ts';
import { builtinSchema } from './schema/builtin.ts';
import { mergeSchemaOf } from './schema/merge-schema-of.ts';

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
}

interface Cases {
  readonly pods: readonly PlainObject[];
  readonly quantities: readonly string[];
  readonly selectors: readonly string[];
  readonly labelSets: readonly Readonly<Record<string, string>>[];
  readonly images: readonly string[];
  readonly patches: readonly { readonly original: PlainObject; readonly patch: PlainObject }[];
  readonly texts: readonly string[];
}

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/fixtures/go/${file}.json`, import.meta.url), 'utf8'));

const cases = read('cases') as Cases;
const answers = read('answers') as Readonly<Record<keyof Cases, readonly Answer[]>>;

/** Each case with what Go answered; `label` names it in the output. */
const pairs = <T>(list: keyof Cases, items: readonly T[]): readonly [string, T, Answer][] =>
  items.map((item, index) => [
    `${index}: ${JSON.stringify(item).slice(0, 60)}`,
    item,
    answers[list][index] ?? { error: 'no answer was recorded' },
  ]);

const attempt = (run: () => unknown): Answer => {
  try {
    return { value: run() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};

describe('as Go does it', () => {
  it.each(pairs('pods', cases.pods))('a Pod means the same before and after its defaults: %s', (_, pod, { value }) => {
    const [before, after] = [pod, value as PlainObject].map((one) => podTemplateMeaning({ spec: one['spec'] }));
    expect(after).toEqual(before);
  });

  it.each(pairs('quantities', cases.quantities))('a quantity is read and written: %s', (_, text, answer) => {
    const ours = attempt(() => canonicalQuantity(text));
    expect(ours.error === undefined).toBe(answer.error === undefined);
    if (answer.error === undefined) expect(ours.value).toBe(answer.value);
  });

  it.each(pairs('selectors', cases.selectors))(
    'a label selector is read, or refused in the same words: %s',
    (_, text, answer) => {
      const ours = attempt(() => {
        const selects = compileSelectorText(text);
        return cases.labelSets.map((labels) => selects(labels));
      });
      expect(ours).toEqual(answer);
    },
  );

  it.each(pairs('images', cases.images))('an image reference is read: %s', (_, image, { value }) => {
    expect({
      normal: normaliseImage(image),
      valid: parseImageReference(image) !== undefined,
      policy: defaultPullPolicy(image),
    }).toEqual(value);
  });

  it.each(pairs('patches', cases.patches))(
    'a strategic merge patch is applied: %s',
    (_, { original, patch }, answer) => {
      const schema = mergeSchemaOf(builtinSchema('io.k8s.api.core.v1.Pod'));
      const ours = attempt(() => applyStrategicMergePatch(original, patch, schema));
      // Go leaves $retainKeys in an item it adds; its decoder drops the unknown field a moment later.
      if (answer.error === undefined) expect(ours).toEqual({ value: withoutRetainKeys(answer.value) });
      else expect(ours.error).toBeDefined();
    },
  );

  it.each(pairs('texts', cases.texts))('JSON is written and hashed: %s', (_, text, { value }) => {
    const bytes = stringifyAsGo(JSON.parse(text));
    const hash = safeEncode(String(fnv1(new TextEncoder().encode(bytes))));
    expect({ bytes, hash }).toEqual(value);
    expect(jsonEqual(JSON.parse(bytes), JSON.parse(text))).toBe(true);
  });
});

const withoutRetainKeys = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, item: unknown) => (key === '$retainKeys' ? undefined : item));
