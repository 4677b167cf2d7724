import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../objects/index.ts';
import type { PrinterColumn, ServedResource, ServerRequest } from '../../../server-types.ts';
import { chooseRendering } from './rendering.ts';
import { type Table, tableOf } from './table.ts';

interface RecordedTable {
  readonly path: string;
  /** The Date header of the answer, whole seconds. */
  readonly at: string;
  readonly items: readonly KubeObject[];
  readonly columns: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
  readonly printerColumns?: readonly PrinterColumn[];
}

const recorded: { readonly tables: Readonly<Record<string, RecordedTable>> } = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/kubernetes/tables.json', import.meta.url), 'utf8'),
);

const served = (path: string, printerColumns: readonly PrinterColumn[] | undefined): ServedResource => {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 't');
  const [group = '', version = ''] = segments[0] === 'api' ? ['', 'v1'] : segments.slice(1);
  const plural = segments.at(-1) ?? '';
  return {
    group,
    version,
    plural,
    kind: 'Recorded',
    singular: '',
    listKind: 'RecordedList',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: [],
    ...(printerColumns === undefined ? {} : { custom: { schema: {}, printerColumns, statusSubresource: true } }),
  };
};

const table = (name: string): { readonly want: RecordedTable; readonly got: ReturnType<typeof tableOf> } => {
  const want = recorded.tables[name];
  if (want === undefined) throw new Error(`no recorded table ${name}`);
  const resource = served(want.path, want.printerColumns);
  // Ages of the recording were taken within the second that the Date header names.
  const nowMs = Date.parse(want.at) + 300;
  const options = { resource, nowMs, include: 'Metadata', version: 'v1', metadata: {}, withColumns: true } as const;
  return { want, got: tableOf({ ...options, items: want.items }) };
};

describe('tables of a real API server', () => {
  it.each(Object.keys(recorded.tables))('come out the same for %s', (name) => {
    const { want, got } = table(name);
    expect(got.columnDefinitions?.map(({ description: _, ...column }) => column)).toEqual(want.columns);
    expect(got.rows.map(({ cells }) => cells)).toEqual(want.rows);
  });

  it('hold the states of a Pod that people look for', () => {
    const statuses = recorded.tables['pods']?.rows.map((cells) => cells[2]);
    expect(statuses).toEqual(
      expect.arrayContaining([
        'CrashLoopBackOff',
        'ContainerCreating',
        'Init:1/2',
        'Terminating',
        'OOMKilled',
        'Unknown',
      ]),
    );
  });
});

const now = Date.parse('2026-12-01T00:00:10Z');
const configMaps = served('/api/v1/configmaps', undefined);
const configMap = {
  metadata: { name: 'a', resourceVersion: '7', creationTimestamp: '2026-12-01T00:00:00Z' },
  data: {},
};
const asking = (accept: string, query = ''): ServerRequest => ({
  method: 'GET',
  segments: [],
  query: new URLSearchParams(query),
  headers: { accept },
  body: new Uint8Array(),
  userName: 'admin',
});
const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const choose = chooseRendering(() => now);

describe('the shape of an answer', () => {
  it('is the object itself for JSON, for anything, and for protobuf with JSON behind it', () => {
    for (const accept of ['application/json', '*/*', 'application/vnd.kubernetes.protobuf,application/json']) {
      expect(choose(asking(accept), configMaps)).toBeUndefined();
    }
  });

  it('is refused where only other formats are accepted', () => {
    expect(() => choose(asking('text/html'), configMaps)).toThrow('only the following media types are accepted');
  });

  it('is a Table with one row for one object, with its resourceVersion', () => {
    expect(choose(asking(tableAccept), configMaps)?.answer(configMap)).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      rows: [{ cells: ['a', 0, '10s'], object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } }],
    });
  });

  it('carries whole objects or none where the client asks so', () => {
    const row = (query: string): unknown => {
      const answer = choose(asking(tableAccept, query), configMaps)?.answer(configMap) as Table | undefined;
      return answer?.rows[0]?.object;
    };
    expect(row('includeObject=Object')).toMatchObject({ apiVersion: 'v1', data: {} });
    expect(row('includeObject=None')).toBeNull();
    expect(() => choose(asking(tableAccept, 'includeObject=Some'), configMaps)).toThrow('includeObject');
  });

  it('keeps continue and remainingItemCount of a list', () => {
    const metadata = { resourceVersion: '9', continue: 'x', remainingItemCount: 3 };
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: [configMap, configMap] };
    const answer = choose(asking(tableAccept), configMaps)?.answer(list);
    expect(answer).toMatchObject({ metadata, rows: [{}, {}] });
  });

  it('names the columns in the first event of a watch only', () => {
    const rendering = choose(asking(tableAccept), configMaps);
    expect(rendering?.event(configMap, true)).toHaveProperty('columnDefinitions');
    expect(rendering?.event(configMap, false)).not.toHaveProperty('columnDefinitions');
  });

  it('leaves a Status alone', () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 };
    expect(choose(asking(tableAccept), configMaps)?.event(status, true)).toBe(status);
  });

  it('is metadata alone for metadata clients', () => {
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items: [configMap] };
    expect(choose(asking(accept), configMaps)?.answer(list)).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9' },
      items: [{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: configMap.metadata }],
    });
  });
});
