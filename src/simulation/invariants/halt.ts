import type { FailureRecord } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod, type Scene } from './scene.ts';
import { isAvailable, openTarget, unitPods } from './units.ts';
import { ownImagePatch } from './write-kinds.ts';

const unitOf = ({ group, role, instance }: FailureRecord): string =>
  role === undefined ? String(group) : `${group}/${role}-${instance}`;

/** The unit serves again, is on to something else, or is no more. */
const isOver = (scene: Scene, failure: FailureRecord): boolean => {
  const pods = unitPods(scene, unitOf(failure));
  if (pods.length === 0 || isAvailable(scene, unitOf(failure))) return true;
  return pods.some((pod) => (openTarget(scene, pod) ?? failure.revision) !== failure.revision);
};

export const halt: Invariant = {
  id: 'I6',
  rule: 'After a unit failed on a revision, and until it serves or is on to something else, no healthy unit is patched to that revision (under role updates: none of that Role).',
  begin: () => {
    const failures = new Map<string, FailureRecord>();
    return {
      before: (judged) => {
        const { scene } = judged;
        const patched = ownImagePatch(judged);
        if (patched === undefined) return undefined;
        const target = revisionOfPod(patched.pod);
        const failure = [...failures.values()].find(
          (it) => it.revision === target && (it.role === undefined || it.role === patched.role),
        );
        if (failure === undefined) return undefined;
        const { group, role, instance } = patched;
        const key = unitOf(failure.role === undefined ? { ...failure, group } : { ...failure, group, role, instance });
        if (key === unitOf(failure) || !isAvailable(scene, key)) return undefined;
        return `Pod ${patched.name} is fed to revision ${target}, on which unit ${unitOf(failure)} has failed`;
      },
      after: ({ scene }) => {
        for (const failure of scene.modelServing?.status?.failures ?? []) failures.set(unitOf(failure), failure);
        for (const [key, failure] of failures) if (isOver(scene, failure)) failures.delete(key);
        return undefined;
      },
    };
  },
};
