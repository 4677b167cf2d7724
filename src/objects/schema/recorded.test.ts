import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../field-error.ts';
import { celErrors } from './cel-errors.ts';
import { applyDefaults } from './defaults.ts';
import { listTypeErrors } from './list-types.ts';
import { prune, unknownFieldMessage } from './prune.ts';
import type { Schema } from './schema.ts';
import { structuralErrors } from './structural.ts';
import { validate } from './validate.ts';

interface Recording {
  readonly schema: Schema;
  readonly objects: readonly {
    readonly note: string;
    readonly object: unknown;
    readonly before?: unknown;
    readonly status: number;
    readonly stored?: unknown;
    readonly causes?: readonly FieldError[] | null;
    readonly strict?: string;
  }[];
  readonly crds: readonly {
    readonly note: string;
    readonly schema: Schema;
    readonly status: number;
    readonly causes: readonly FieldError[] | null;
  }[];
}

const recording: Recording = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/schema/validation.json', import.meta.url), 'utf8'),
);
const { schema } = recording;

/** All that a server does to a custom resource between decoding it and storing it. */
const admit = (object: unknown, before: unknown) => {
  const pruned = prune(schema, object);
  const value = applyDefaults(schema, pruned.value);
  const earlier = [...validate(schema, value, { before }), ...listTypeErrors(schema, value, { before })];
  return {
    value,
    unknownFields: pruned.unknownFields,
    errors: [...earlier, ...celErrors(schema, value, { before, earlier })],
  };
};

const lines = (errors: readonly FieldError[] | null | undefined): readonly string[] =>
  (errors ?? []).map(({ field, reason, message }) => `${field} | ${reason} | ${message}`).sort();

const withoutMetadata = (value: unknown): unknown => {
  const { metadata: _, apiVersion: __, kind: ___, ...rest } = value as Record<string, unknown>;
  return rest;
};

describe('an object gets the answer that kube-apiserver v1.34.4 gave', () => {
  it.each(recording.objects)('$note', ({ object, before, causes, stored, strict, status }) => {
    const result = admit(object, before);
    expect(lines(result.errors)).toEqual(lines(causes));
    if (status < 300) expect(withoutMetadata(result.value)).toEqual(stored);
    expect(result.unknownFields.map(unknownFieldMessage).join(', ')).toBe(
      strict?.replace(/^.*strict decoding error: /, '') ?? '',
    );
  });

  it('and is itself left as it was', () => {
    for (const { object, before } of recording.objects) {
      const text = JSON.stringify(object);
      admit(object, before);
      expect(JSON.stringify(object)).toBe(text);
    }
  });
});

/** The two languages word these differently: what a regular expression lacks, what a rule says wrongly. */
const withoutDialect = (line: string): string =>
  line.replace(/(must be a valid regular expression, but isn't: ).*/, '$1…').replace(/(compilation failed: ).*/, '$1…');

describe('a CRD gets the answer that kube-apiserver v1.34.4 gave', () => {
  it.each(recording.crds)('$note', ({ schema: sent, causes }) => {
    const errors = structuralErrors(sent, 'spec.validation.openAPIV3Schema');
    expect(lines(errors).map(withoutDialect)).toEqual(lines(causes).map(withoutDialect));
  });
});
