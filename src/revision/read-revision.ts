import type { PluginSpec } from '../api/index.ts';
import { revisionDataVersionAnnotation, revisionLabel } from '../api/index.ts';
import { type ControllerRevision, isPlainObject, member, type PlainObject } from '../objects/index.ts';
import { type InForce, readInForce } from './in-force.ts';
import {
  type Recorded,
  type RevisionData,
  type RevisionRole,
  recorded,
  silent,
  withoutKnobs,
} from './revision-data.ts';
import { storedLayout } from './stored-data.ts';

/** What a ControllerRevision says, or why it says nothing that can be used. */
export type RevisionReading =
  | { readonly state: 'readable'; readonly layout: 'v1' | 'legacy'; readonly data: RevisionData }
  | { readonly state: 'unreadable'; readonly why: string };

/**
 * Reads a ControllerRevision of either layout. The legacy one (a list of whole Roles, under the key `data` or bare)
 * records neither schedulerName nor plugins; replicas and rollout knobs in it are dropped. gangPolicy and
 * networkTopology are known where the annotation of the scheduling in force is there.
 */
export const readRevision = (revision: ControllerRevision): RevisionReading => {
  const known = readings.get(revision);
  if (known !== undefined) return known;
  const reading = read(revision);
  readings.set(revision, reading);
  return reading;
};

/** Objects never change: each is read once. */
const readings = new WeakMap<ControllerRevision, RevisionReading>();

const read = (revision: ControllerRevision): RevisionReading => {
  const version = revision.metadata.annotations?.[revisionDataVersionAnnotation];
  if (version !== undefined && version !== storedLayout) {
    return { state: 'unreadable', why: `its data is in layout '${version}', which this version does not know` };
  }
  const found = contentOf(revision.data);
  if (found === undefined) return { state: 'unreadable', why: 'its data is in no known layout' };
  const roles = rolesOf(found.roles);
  if (roles === undefined) return { state: 'unreadable', why: 'its data holds something that is not a Role' };
  const inForce = readInForce(revision);
  const scheduling = <T>(value: T): Recorded<T> => (inForce === undefined ? silent : recorded(value));
  return {
    state: 'readable',
    layout: found.layout,
    data: {
      roles,
      ...identityOf(found, inForce),
      gangPolicy: scheduling(inForce?.gangPolicy),
      networkTopology: scheduling(inForce?.networkTopology),
    },
  };
};

/** The revision's own name, as it stands in Pod labels. Undefined for an object that carries none. */
export const revisionOf = (revision: ControllerRevision): string | undefined =>
  revision.metadata.labels?.[revisionLabel];

interface Content {
  readonly layout: 'v1' | 'legacy';
  readonly roles: readonly unknown[];
  readonly spec: PlainObject;
}

const contentOf = (data: unknown): Content | undefined => {
  if (Array.isArray(data)) return { layout: 'legacy', roles: data, spec: {} };
  if (!isPlainObject(data)) return undefined;
  const legacy = member(data, 'data');
  if (Array.isArray(legacy)) return { layout: 'legacy', roles: legacy, spec: {} };
  const spec = member(data, 'spec');
  const template = isPlainObject(spec) ? member(spec, 'template') : undefined;
  const roles = isPlainObject(template) ? member(template, 'roles') : undefined;
  return isPlainObject(spec) && Array.isArray(roles) ? { layout: 'v1', roles, spec } : undefined;
};

const identityOf = (
  { layout, spec }: Content,
  inForce: Pick<InForce, 'assumed' | 'proved'> | undefined,
): Pick<RevisionData, 'schedulerName' | 'plugins'> => {
  if (layout === 'v1') {
    const { schedulerName, plugins } = spec;
    return {
      schedulerName: recorded(typeof schedulerName === 'string' ? schedulerName : undefined),
      plugins: recorded(Array.isArray(plugins) ? (plugins as readonly PluginSpec[]) : []),
    };
  }
  const { proved, assumed } = inForce ?? {};
  if (proved !== undefined) return { schedulerName: recorded(proved.schedulerName), plugins: recorded(proved.plugins) };
  if (assumed === undefined) return { schedulerName: silent, plugins: silent };
  return {
    schedulerName: { state: 'assumed', value: assumed.schedulerName },
    plugins: { state: 'assumed', value: assumed.plugins },
  };
};

const rolesOf = (items: readonly unknown[]): readonly RevisionRole[] | undefined =>
  items.every(isRole) ? items.map(withoutKnobs) : undefined;

const isRole = (value: unknown): value is RevisionRole =>
  isPlainObject(value) &&
  typeof value['name'] === 'string' &&
  isPlainObject(value['entryTemplate']) &&
  (value['workerReplicas'] === undefined || typeof value['workerReplicas'] === 'number') &&
  (value['workerTemplate'] === undefined || value['workerTemplate'] === null || isPlainObject(value['workerTemplate']));
