import { jsonEqual, member, type PlainObject, withoutMember } from '../objects/index.ts';
import { asReasons, shortPath } from './as-reasons.ts';
import { differences } from './differences.ts';
import type { Reason } from './reason.ts';

export interface ContainerImage {
  readonly container: string;
  readonly from: string;
  readonly to: string;
}

export interface ContainersCheck {
  readonly reasons: readonly Reason[];
  readonly images: readonly ContainerImage[];
}

/**
 * Regular containers, by their meanings: the same names in the same order, and in each nothing but the image differs.
 * Where names or order differ no images are compared: nobody can tell which container became which.
 */
export const checkContainers = (
  before: readonly PlainObject[],
  after: readonly PlainObject[],
  specPath: string,
): ContainersCheck => {
  const path = `${specPath}.containers`;
  const [oldNames, newNames] = [before.map(nameOf), after.map(nameOf)];
  if (!jsonEqual(oldNames, newNames)) {
    const message = `container names or order changed: ${shortPath(path)} was ${list(oldNames)} and is ${list(newNames)}`;
    return { reasons: [{ path, kind: 'container-names', message }], images: [] };
  }
  const checks = before.map((container, index) =>
    checkContainer(container, after[index] ?? {}, `${path}[${oldNames[index]}]`),
  );
  return {
    reasons: checks.flatMap(({ reasons }) => reasons),
    images: checks.flatMap(({ image }) => (image === undefined ? [] : [image])),
  };
};

/** Judged by rules of their own, or not at all. */
const ownRules: readonly string[] = ['image', 'imagePullPolicy', 'restartPolicy', 'restartPolicyRules'];

const checkContainer = (
  before: PlainObject,
  after: PlainObject,
  path: string,
): { readonly reasons: readonly Reason[]; readonly image?: ContainerImage } => {
  const [from, to] = [imageOf(before), imageOf(after)];
  const reasons = [
    ...asReasons(
      differences(ownRules.reduce(withoutMember, before), ownRules.reduce(withoutMember, after), path),
      'container-field',
    ),
    ...['restartPolicy', 'restartPolicyRules'].flatMap((field) =>
      asReasons(
        differences(member(before, field), member(after, field), `${path}.${field}`),
        'container-restart-policy',
      ),
    ),
    ...checkPullPolicy(before, after, path),
    // A Pod's image can be replaced, never taken away.
    ...(from !== to && to === '' ? asReasons([{ path: `${path}.image`, change: 'removed' }], 'container-field') : []),
  ];
  return from === to || to === '' ? { reasons } : { reasons, image: { container: nameOf(before), from, to } };
};

/**
 * A live Pod keeps the pull policy it was created with; a new one gets what its template says or, for an omitted one,
 * what the tag says (D.6). Where that differs, old and new Pods of one revision would differ.
 */
const checkPullPolicy = (before: PlainObject, after: PlainObject, path: string): readonly Reason[] => {
  const [from, to] = [String(member(before, 'imagePullPolicy')), String(member(after, 'imagePullPolicy'))];
  if (from === to) return [];
  const field = `${path}.imagePullPolicy`;
  const advice =
    imageOf(before) === imageOf(after)
      ? 'a Pod keeps the pull policy it was created with'
      : 'where it is omitted it follows the tag: set it explicitly to keep it';
  return [
    {
      path: field,
      kind: 'pull-policy',
      message: `the effective pull policy, ${shortPath(field)}, changed from ${from} to ${to}; ${advice}`,
    },
  ];
};

const nameOf = (container: PlainObject): string => String(member(container, 'name') ?? '');

const imageOf = (container: PlainObject): string => String(member(container, 'image') ?? '');

const list = (names: readonly string[]): string => `[${names.join(', ')}]`;
