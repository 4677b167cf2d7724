import { jsonEqual } from '../../../../objects/index.ts';
import type { StoredObject } from '../../../server-types.ts';
import { type FieldError, forbiddenField, invalidValue } from '../../field-error.ts';
import { record, records } from '../fields.ts';
import { withoutUndefined } from '../metadata.ts';
import { checkImage } from './check-container.ts';
import { checkPod } from './check-pod.ts';
import { specDiff } from './spec-diff.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a change of a Pod may not do (validation.ValidatePodUpdate): beyond images, nearly everything is fixed. */
export const checkPodUpdate = (next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const [now, before] = [record(next['spec']), record(previous['spec'])];
  const always = checkPod(next);
  for (const list of ['containers', 'initContainers']) {
    const { errors, stop } = checkImages(records(now[list]), records(before[list]), `spec.${list}`);
    if (stop) return [...always, ...errors];
  }
  return [
    ...always,
    ...checkDeadlineChange(now['activeDeadlineSeconds'], before['activeDeadlineSeconds']),
    ...checkTolerations(records(now['tolerations']), records(before['tolerations'])),
    ...checkGates(records(now['schedulingGates']), records(before['schedulingGates'])),
    ...checkRest(now, before),
  ];
};

const checkImages = (
  now: readonly Fields[],
  before: readonly Fields[],
  at: string,
): { readonly errors: readonly FieldError[]; readonly stop: boolean } => {
  if (now.length !== before.length) {
    return { errors: [forbiddenField(at, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = now.flatMap(({ image }, index) => checkImage(image, `${at}[${index}].image`));
  return { errors, stop: errors.length > 0 };
};

const checkDeadlineChange = (now: unknown, before: unknown): readonly FieldError[] => {
  const at = 'spec.activeDeadlineSeconds';
  if (now === undefined) {
    return before === undefined ? [] : [invalidValue(at, null, 'must not update from a positive integer to nil value')];
  }
  return before !== undefined && Number(before) < Number(now)
    ? [invalidValue(at, now, 'must be less than or equal to previous value')]
    : [];
};

const checkTolerations = (now: readonly Fields[], before: readonly Fields[]): readonly FieldError[] => {
  const sameButSeconds = (a: Fields, b: Fields): boolean =>
    jsonEqual({ ...a, tolerationSeconds: 0 }, { ...b, tolerationSeconds: 0 });
  return before.every((old) => now.some((toleration) => sameButSeconds(toleration, old)))
    ? []
    : [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
};

const checkGates = (now: readonly Fields[], before: readonly Fields[]): readonly FieldError[] => {
  const known = new Set(before.map((gate) => gate['name']));
  return now.flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          forbiddenField(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${String(name)}'`,
          ),
        ],
  );
};

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** With everything that may change put back, nothing may be left that differs. */
const checkRest = (now: Fields, before: Fields): readonly FieldError[] => {
  const grace = Number(before['terminationGracePeriodSeconds']) < 0 && now['terminationGracePeriodSeconds'] === 1;
  const munged = withoutUndefined({
    ...now,
    containers: withImagesOf(records(now['containers']), records(before['containers'])),
    ...(now['initContainers'] === undefined
      ? {}
      : { initContainers: withImagesOf(records(now['initContainers']), records(before['initContainers'])) }),
    activeDeadlineSeconds: before['activeDeadlineSeconds'],
    tolerations: before['tolerations'],
    schedulingGates: before['schedulingGates'],
    ...(grace ? { terminationGracePeriodSeconds: before['terminationGracePeriodSeconds'] } : {}),
  });
  if (jsonEqual(munged, before)) return [];
  return [
    forbiddenField('spec', `pod updates may not change fields other than ${updatable}\n${specDiff(before, munged)}`),
  ];
};

const withImagesOf = (containers: readonly Fields[], others: readonly Fields[]): readonly Fields[] =>
  containers.map((container, index) => ({ ...container, image: others[index]?.['image'] }));
