import { type Container, controllerOf, defaultPullPolicy, isTerminating, type Pod } from '../objects/index.ts';
import type { RevisionRole } from '../revision/index.ts';
import { type Reason, sortReasons } from './reason.ts';

/** What a Pod is to become. */
export interface PreflightTarget {
  /** The Role of the target revision. */
  readonly role: RevisionRole;
  /** 0 is the entry Pod, 1 and up are workers. */
  readonly index: number;
  /** UID of the ModelServing; without it the owner is not checked. */
  readonly ownerUID?: string | undefined;
  /** Names of the containers to patch; without it, those whose image differs from the template's. */
  readonly containers?: readonly string[] | undefined;
}

/**
 * Why the images of a live Pod cannot be patched to what its template says now. Reasons of the same kind as those of
 * `checkEligibility`; paths start with the Pod. What admission injected (containers, volumes, tolerations, resized
 * resources) is irrelevant.
 *
 * @param pod  undefined where it does not exist
 */
export const livePreflight = (pod: Pod | undefined, target: PreflightTarget): readonly Reason[] => {
  if (pod === undefined) return [{ path: 'pods', kind: 'pod-gone', message: 'the Pod does not exist' }];
  const name = pod.metadata.name ?? '';
  const path = `pods[${name}]`;
  const reason = (field: string, kind: Reason['kind'], message: string): Reason => ({
    path: `${path}.${field}`,
    kind,
    message: `Pod ${name} ${message}`,
  });
  const phase = pod.status?.phase;
  const restartPolicy = pod.spec?.restartPolicy ?? 'Always';
  const checks: readonly (Reason | false)[] = [
    isTerminating(pod) && reason('metadata.deletionTimestamp', 'pod-terminating', 'is terminating'),
    (phase === 'Failed' || phase === 'Succeeded') &&
      reason('status.phase', 'pod-finished', `is ${phase} and never starts a container again`),
    target.ownerUID !== undefined &&
      controllerOf(pod)?.uid !== target.ownerUID &&
      reason('metadata.ownerReferences', 'pod-not-ours', 'is not controlled by this ModelServing'),
    restartPolicy !== 'Always' &&
      reason('spec.restartPolicy', 'pod-restart-policy', `has restartPolicy ${restartPolicy}, which is not Always`),
  ];
  const ofContainers = containersToPatch(pod, target).flatMap((container) =>
    checkContainer(pod, container).map(({ field, kind, message }) =>
      reason(`spec.containers[${container.name}]${field}`, kind, `container ${container.name} ${message}`),
    ),
  );
  return sortReasons([...checks.filter((check) => check !== false), ...ofContainers]);
};

/** The containers of the template, as far as they are to be patched. */
const containersToPatch = (pod: Pod, { role, index, containers }: PreflightTarget): readonly Container[] => {
  const template = index === 0 ? role.entryTemplate : role.workerTemplate;
  return (template?.spec?.containers ?? []).filter(({ name, image }) =>
    containers === undefined ? liveContainer(pod, name)?.image !== image : containers.includes(name),
  );
};

interface Finding {
  readonly field: string;
  readonly kind: Reason['kind'];
  readonly message: string;
}

const checkContainer = (pod: Pod, wanted: Container): readonly Finding[] => {
  const live = liveContainer(pod, wanted.name);
  if (live === undefined) return [{ field: '', kind: 'pod-container-missing', message: 'does not exist' }];
  const own = (['restartPolicy', 'restartPolicyRules'] as const).filter((field) => hasValue(live[field]));
  const policy = wanted.imagePullPolicy || defaultPullPolicy(wanted.image ?? '');
  return [
    ...own.map((field) => ({
      field: `.${field}`,
      kind: 'pod-container-restart-policy' as const,
      message: `has ${field} of its own`,
    })),
    ...(live.imagePullPolicy === policy
      ? []
      : [
          {
            field: '.imagePullPolicy',
            kind: 'pod-pull-policy' as const,
            message: `has pull policy ${live.imagePullPolicy}, a new Pod would have ${policy}`,
          },
        ]),
  ];
};

const liveContainer = (pod: Pod, name: string): Container | undefined =>
  pod.spec?.containers.find((container) => container.name === name);

const hasValue = (value: string | readonly unknown[] | null | undefined): boolean =>
  value !== undefined && value !== null && value.length > 0;
