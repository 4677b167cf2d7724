import { type ModelServing, schedulingInForceAnnotation } from '../api/index.ts';
import { type ControllerRevision, resourceVersionOf, stringifyAsGo } from '../objects/index.ts';
import { compareRevisions } from './compare-revisions.ts';
import { formatInForce, type InForce, readInForce, saysInForce, type Unsaid, unsaidBy } from './in-force.ts';
import { readRevision } from './read-revision.ts';
import { revisionDataOf } from './revision-data.ts';

/**
 * The JSON merge patch that brings the annotation of the scheduling in force up to the spec; undefined where it says so
 * already. An older record that is taken over is also given what it does not say, once: what its Pods prove, or for one
 * that is equal to the spec in all it says, the spec's word, so that a later edit of just that is noticed. (Never a
 * strategic merge: it would encode `data` again, and be refused.)
 */
export const inForcePatch = (
  revision: ControllerRevision,
  spec: ModelServing['spec'],
  proved?: Unsaid,
): object | undefined => {
  const known = readInForce(revision);
  const first = proved === undefined ? { assumed: assumptionFor(revision, spec) } : { proved };
  const text = formatInForce(spec, (known?.proved ?? known?.assumed) ? known : first);
  return saysInForce(revision, text) ? undefined : annotationPatch(revision, text);
};

/** Writes what the Pods of an older record prove and nothing of the present spec; for one whose groups are no gangs. */
export const provedPatch = (revision: ControllerRevision, proved: Unsaid): object =>
  annotationPatch(revision, stringifyAsGo({ proved }));

const annotationPatch = (revision: ControllerRevision, text: string): object => ({
  metadata: {
    resourceVersion: resourceVersionOf(revision),
    annotations: { [schedulingInForceAnnotation]: text },
  },
});

/** Whether a record is of the older layout, and nobody has yet written beside it what it does not say. */
export const awaitsTakeover = (revision: ControllerRevision): boolean => {
  const reading = readRevision(revision);
  return reading.state === 'readable' && reading.layout === 'legacy' && readInForce(revision) === undefined;
};

const assumptionFor = (revision: ControllerRevision, spec: ModelServing['spec']): InForce['assumed'] => {
  const reading = readRevision(revision);
  if (reading.state === 'unreadable') return undefined;
  const relation = compareRevisions(reading.data, revisionDataOf(spec));
  return relation === 'same-as-far-as-recorded' ? unsaidBy(spec) : undefined;
};
