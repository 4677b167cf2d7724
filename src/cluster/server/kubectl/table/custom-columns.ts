import { isPlainObject, type KubeObject, stringifyAsGo } from '../../../../objects/index.ts';
import type { PrinterColumn } from '../../../server-types.ts';
import { since } from './human-duration.ts';
import { findAll, parseJsonPath } from './json-path.ts';
import { type Cell, nameCell, nameColumn, type Printer } from './printer.ts';

/** A CRD that lists no columns gets the age; one that lists any must list the age as well. */
const defaultColumns: readonly PrinterColumn[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/**
 * Columns of a custom kind, as tableconvertor.go of the apiextensions server makes them: the name first, only the first result of
 * a path counts, a value of another type than the column's is an empty cell, dates are ages.
 */
export const customPrinter = (listed: readonly PrinterColumn[]): Printer => {
  const columns = (listed.length === 0 ? defaultColumns : listed).map((column) => ({
    ...column,
    path: parseJsonPath(column.jsonPath),
  }));
  return {
    columns: [
      nameColumn,
      ...columns.map(({ name, type, format, description, priority, jsonPath }) => ({
        name,
        type,
        format: format ?? '',
        description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority: priority ?? 0,
      })),
    ],
    cells: (object: KubeObject, nowMs: number) => [
      nameCell(object),
      ...columns.map(({ type, path }) => cell(type, path === undefined ? undefined : findAll(path, object)[0], nowMs)),
    ],
  };
};

const cell = (type: string, value: unknown, nowMs: number): Cell => {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? since(value, nowMs) : null;
    case 'string':
      return Array.isArray(value) || isPlainObject(value) ? stringifyAsGo(value) : String(value);
    default:
      return null;
  }
};
