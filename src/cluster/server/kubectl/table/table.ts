import type { KubeObject } from '../../../../objects/index.ts';
import type { ServedResource } from '../../../server-types.ts';
import { partialMetadata } from './partial-metadata.ts';
import type { Cell, TableColumn } from './printer.ts';
import { printerOf } from './printers.ts';

/** metav1.Table */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly columnDefinitions?: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly object: unknown;
}

/** What of each object stands beside its row: nothing, its metadata, all of it. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly resource: ServedResource;
  readonly items: readonly KubeObject[];
  /** Ages are relative to this moment, in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly include: IncludeObject;
  /** `v1` or `v1beta1` of meta.k8s.io, as the client asked. */
  readonly version: string;
  /** resourceVersion, continue and remainingItemCount of the list, or the resourceVersion of the one object. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** A watch says its columns once, in its first event. */
  readonly withColumns: boolean;
}

/** Objects as rows, the way `kubectl get` asks for them. */
export const tableOf = (options: TableOptions): Table => {
  const { resource, items, nowMs, include, version } = options;
  const printer = printerOf(resource, items[0]);
  const apiVersion = `meta.k8s.io/${version}`;
  const rows = items.map((object) => ({
    cells: printer.cells(object, nowMs),
    object: include === 'None' ? null : include === 'Object' ? object : partialMetadata(object, apiVersion),
  }));
  return {
    kind: 'Table',
    apiVersion,
    metadata: options.metadata,
    ...(options.withColumns ? { columnDefinitions: printer.columns } : {}),
    rows,
  };
};
