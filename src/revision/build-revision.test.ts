import { describe, expect, it } from 'vitest';
import { aModelServing, dataOf, stored } from '../../test/support/revisions.ts';
import { schedulingInForceAnnotation } from '../api/index.ts';
import { applyMergePatch, type ControllerRevision, stringifyAsGo } from '../objects/index.ts';
import { buildRevision, isSameRevisionObject, renumberPatch } from './build-revision.ts';
import { compareRevisions } from './compare-revisions.ts';
import { inForcePatch } from './in-force-patch.ts';
import { readRevision, revisionOf } from './read-revision.ts';
import { revisionDataOf, silences } from './revision-data.ts';
import { storedBytes } from './stored-data.ts';

describe('a ControllerRevision that we write', () => {
  it('is read back as the spec it was made from, silent about nothing', () => {
    const revision = stored(buildRevision(aModelServing(), []));
    expect(readRevision(revision).state).toBe('readable');
    expect(silences(dataOf(revision))).toEqual([]);
    expect(compareRevisions(dataOf(revision), revisionDataOf(aModelServing().spec))).toBe('same');
  });

  it('is written in the layout of upstream, Roles by name, without what scales or is overwritten', () => {
    expect(buildRevision(aModelServing(), []).data).toMatchObject({
      spec: {
        schedulerName: 'default-scheduler',
        plugins: [],
        template: {
          roles: [
            { name: 'decode', workerReplicas: 0, entryTemplate: { spec: { schedulerName: 'default-scheduler' } } },
            {
              name: 'prefill',
              entryTemplate: { metadata: { labels: { app: 'llm' } }, spec: { containers: [{ env: [] }] } },
            },
          ],
        },
      },
    });
    const text = JSON.stringify(buildRevision(aModelServing(), []).data);
    expect(text).not.toMatch(/replicas|maxUnavailable|partition|"metadata":\{\}/);
  });

  it('has bytes that survive the API server encoding them again', () => {
    const { data } = buildRevision(aModelServing(), []);
    const text = stringifyAsGo(data);
    expect(text).toContain('a \\u0026\\u0026 b \\u003c c \\u003e d');
    expect(stringifyAsGo(JSON.parse(text))).toBe(text);
    // Also for a client that writes members in the order in which it finds them.
    expect(Object.keys(data?.['spec'] as object)).toEqual(['plugins', 'schedulerName', 'template']);
  });

  it('has labels, owner, layout and number', () => {
    const revision = buildRevision(aModelServing(), [stored({ metadata: { name: 'llm-x' }, revision: 6 })]);
    const name = revisionOf(revision);
    expect(name).toMatch(/^[4-9bcdf]{1,10}$/);
    expect(revision).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      revision: 7,
      metadata: {
        name: `llm-${name}`,
        namespace: 'fx',
        labels: { 'modelserving.volcano.sh/name': 'llm', 'modelserving.volcano.sh/revision': name },
        annotations: { 'modelserving.volcano.sh/revision-data-version': 'v1' },
        ownerReferences: [{ kind: 'ModelServing', name: 'llm', uid: 'uid-1', controller: true }],
      },
    });
  });

  it('is numbered anew when the spec returns to it', () => {
    const numbered = (revision: number): ControllerRevision => ({
      ...stored(buildRevision(aModelServing(), [])),
      revision,
    });
    const [old, newer] = [numbered(2), numbered(5)];
    expect(renumberPatch(old, [old, newer])).toEqual({ metadata: { resourceVersion: '1' }, revision: 6 });
    expect(renumberPatch(newer, [old, newer])).toBeUndefined();
    expect(renumberPatch(old, [old])).toBeUndefined();
  });

  it('has another name after a collision, and the same name every time else', () => {
    const collided = { ...aModelServing(), status: { collisionCount: 1 } };
    expect(revisionOf(buildRevision(aModelServing(), []))).toBe(revisionOf(buildRevision(aModelServing(), [])));
    expect(revisionOf(buildRevision(collided, []))).not.toBe(revisionOf(buildRevision(aModelServing(), [])));
    expect(storedBytes(buildRevision(collided, []).data ?? {})).toEqual(
      storedBytes(buildRevision(aModelServing(), []).data ?? {}),
    );
  });

  it('knows itself when the name is taken', () => {
    const wanted = buildRevision(aModelServing(), []);
    expect(isSameRevisionObject(stored(wanted), wanted)).toBe(true);
    expect(isSameRevisionObject(stored({ ...wanted, data: {} }), wanted)).toBe(false);
    const foreign = { ...wanted, metadata: { ...wanted.metadata, ownerReferences: [] } };
    expect(isSameRevisionObject(stored(foreign), wanted)).toBe(false);
  });

  it('carries the scheduling in force and is brought up to date by a merge patch', () => {
    const gang = { minRoleReplicas: { prefill: 1 } };
    const revision = stored(buildRevision(aModelServing(), []));
    const spec = { ...aModelServing().spec, template: { ...aModelServing().spec.template, gangPolicy: gang } };
    expect(inForcePatch(revision, aModelServing().spec)).toBeUndefined();
    const patched = applyMergePatch(revision, inForcePatch(revision, spec)) as ControllerRevision;
    expect(dataOf(patched).gangPolicy).toEqual({ state: 'recorded', value: gang });
    expect(compareRevisions(dataOf(patched), dataOf(revision))).toBe('same');
  });

  it('knows nothing of the scheduling in force where the annotation was spoiled', () => {
    const revision = stored(buildRevision(aModelServing(), []));
    const spoiled = applyMergePatch(revision, {
      metadata: { annotations: { [schedulingInForceAnnotation]: '{' } },
    }) as ControllerRevision;
    expect(silences(dataOf(spoiled))).toEqual(['gangPolicy', 'networkTopology']);
  });
});
