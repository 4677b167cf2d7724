import type { KubeObject } from '../../../../objects/index.ts';
import { since } from './human-duration.ts';

/** metav1.TableColumnDefinition. Columns with a priority above 0 are shown with `-o wide` only. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export type Cell = string | number | boolean | null;

/** How objects of one kind become rows. */
export interface Printer {
  readonly columns: readonly TableColumn[];
  /** One cell for each column. */
  cells(object: KubeObject, nowMs: number): readonly Cell[];
}

interface ColumnOptions {
  readonly type?: string;
  readonly format?: string;
  /** Shown with `-o wide` only. */
  readonly wide?: boolean;
}

export const column = (name: string, description: string, options: ColumnOptions = {}): TableColumn => ({
  name,
  type: options.type ?? 'string',
  format: options.format ?? '',
  description,
  priority: options.wide === true ? 1 : 0,
});

export const nameColumn: TableColumn = column('Name', 'Name of the object, unique among its kind and namespace.', {
  format: 'name',
});
export const ageColumn: TableColumn = column('Age', 'Time since the object was created.');

export const nameCell = (object: KubeObject): string => object.metadata.name ?? '';
export const ageCell = (object: KubeObject, nowMs: number): string => since(object.metadata.creationTimestamp, nowMs);

/** A printer that knows the fields of its kind. What the API server stores of a kind has its shape. */
export const printerFor = <T extends KubeObject>(
  columns: readonly TableColumn[],
  cells: (object: T, nowMs: number) => readonly Cell[],
): Printer => ({ columns, cells: (object, nowMs) => cells(object as T, nowMs) });

/** The common case: name, columns of the kind, age. */
export const namedPrinter = <T extends KubeObject>(
  columns: readonly TableColumn[],
  cells: (object: T, nowMs: number) => readonly Cell[],
): Printer =>
  printerFor<T>([nameColumn, ...columns, ageColumn], (object, nowMs) => [
    nameCell(object),
    ...cells(object, nowMs),
    ageCell(object, nowMs),
  ]);

export const orNone = (text: string | undefined): string => text || '<none>';
