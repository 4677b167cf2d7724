import {
  effectiveProgressDeadlineSeconds,
  effectiveRecoveryPolicy,
  effectiveRestartGracePeriodSeconds,
  type RecoveryPolicy,
} from '../../api/index.ts';
import { isTerminating, type Pod } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';
import { isAlive, isReady, revisionOfPod, type Scene, type ScenePod } from './scene.ts';
import { instanceKey, isSurplus, openTarget } from './units.ts';
import { ownTakeDown } from './write-kinds.ts';

const hasFinished = (pod: Pod): boolean => pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';

const hasRestarted = (pod: Pod): boolean =>
  !isReady(pod) &&
  (pod.status?.containerStatuses ?? []).some(
    ({ restartCount, state, lastState }) =>
      restartCount > 0 || state?.terminated !== undefined || lastState?.terminated !== undefined,
  );

/** It has been failing for as long as a restart is given to heal. */
const isGraceOver = (scene: Scene, pod: Pod, atMs: number): boolean => {
  const seconds = Math.min(...scene.recent().map(({ spec }) => effectiveRestartGracePeriodSeconds(spec)));
  if (seconds === 0) return true;
  const lostAt = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return lostAt === undefined || atMs >= Date.parse(lostAt) + seconds * 1000;
};

/** Instances that fall together with this one, by the recovery policy. */
const fateOf = (scene: Scene, pod: ScenePod, policy: RecoveryPolicy): readonly ScenePod[] =>
  scene
    .ownPods()
    .filter((it) =>
      policy === 'ServingGroupRecreate' ? it.group === pod.group : instanceKey(it) === instanceKey(pod),
    );

/** Some Pod of those that fall together is missing, on its way out, or has ended. */
const hasLost = (scene: Scene, pod: ScenePod, policy: RecoveryPolicy): boolean => {
  if (policy === 'None') return false;
  const together = fateOf(scene, pod, policy);
  if (together.some((it) => !isAlive(it))) return true;
  const recorded = scene
    .records()
    .filter((it) =>
      policy === 'ServingGroupRecreate' ? it.group === pod.group : instanceKey(it) === instanceKey(pod),
    );
  return recorded.some((record) => {
    const present = together.filter((it) => instanceKey(it) === instanceKey(record));
    const role = scene.roles(revisionOfPod(present[0]?.pod ?? pod.pod))?.find(({ name }) => name === record.role);
    return role === undefined || present.length < 1 + role.workerReplicas;
  });
};

const isInFailedUnit = (scene: Scene, pod: ScenePod): boolean =>
  scene.modelServing?.status?.failures?.some(
    (failure) => failure.group === pod.group && (failure.role === undefined || failure.role === pod.role),
  ) === true;

/** Whether a Pod of the group is in an update whose deadline has not passed. */
const isInWindow = (scene: Scene, pod: ScenePod): boolean =>
  scene.ownPods().some((it) => it.name === pod.name && openTarget(scene, it) !== undefined);

export const causeOfDelete: Invariant = {
  id: 'I10, I15, I22, I23, I24',
  rule: 'A Pod is only ever taken down for a cause that stands in the cluster: it is surplus, recorded as leaving, its unit failed, or it was lost as the recovery policy says; never for a restart inside an update window, nor before restartGracePeriodSeconds.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const pod = ownTakeDown(judged);
      if (pod === undefined || scene.modelServing === undefined) return undefined;
      if (scene.wasTouched(pod.pod) || isSurplus(scene, pod) || isInFailedUnit(scene, pod)) return undefined;
      const record = scene.records().find((it) => instanceKey(it) === instanceKey(pod));
      if (record?.leaving === true || hasFinished(pod.pod)) return undefined;
      const policies = new Set(scene.recent().map(({ spec }) => effectiveRecoveryPolicy(spec)));
      if ([...policies].some((policy) => hasLost(scene, pod, policy))) return undefined;
      if (!policies.has('None') || policies.size > 1) {
        if (hasRestarted(pod.pod) && !isInWindow(scene, pod) && isGraceOver(scene, pod.pod, judged.entry.atMs))
          return undefined;
      }
      const seconds = effectiveProgressDeadlineSeconds(scene.modelServing.spec);
      return `Pod ${pod.name} is taken down without a cause (policy ${[...policies].join(', ')}, deadline ${seconds} s, terminating ${isTerminating(pod.pod)})`;
    },
  }),
};
