import { readFileSync } from 'node:fs';
import type { Json } from '../../src/objects/index.ts';

/** The part of an OpenAPI v3 schema that Kubernetes uses. */
export interface OpenApiSchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: Json;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly required?: readonly string[];
  readonly [extension: `x-kubernetes-${string}`]: unknown;
}

export interface SchemaSet {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
}

/** Both recorded documents as one set; where they overlap they agree, but for the fuller PodTemplateSpec of the first. */
export const readSchemaSet = (): SchemaSet => {
  const read = (name: string): SchemaSet =>
    JSON.parse(readFileSync(new URL(`../../schema/kubernetes-1.34/${name}`, import.meta.url), 'utf8'));
  return { schemas: { ...read('schemas-1.34.json').schemas, ...read('pod-schema-1.34.json').schemas } };
};
