import { defaultPullPolicy } from '../image-reference.ts';
import {
  isPlainObject,
  mapItems,
  mapMember,
  member,
  type PlainObject,
  withMember,
  withoutMember,
} from '../plain-object.ts';
import { podTemplateShape } from './pod-shapes.ts';
import { settle } from './shape.ts';

/**
 * What a Pod template says, in one form for all its spellings: omitted and written-out defaults of the API server are
 * the same, quantities count by value, nil is empty. Two templates make the same Pod if their meanings are equal JSON.
 *
 * Every container (and image volume) carries its effective pull policy, because a default that depends on the tag is
 * lost when only the image changes. Everything else that is a default is gone.
 */
export const podTemplateMeaning = (template: PlainObject): PlainObject => {
  const spec = member(template, 'spec');
  const resolved = isPlainObject(spec) ? withMember(template, 'spec', resolveSpec(spec)) : template;
  const settled = settle(resolved, podTemplateShape);
  return mapMember(settled, 'spec', withoutAllImpliedRequests);
};

type Change = (object: PlainObject) => PlainObject;

const resolveSpec: Change = (spec) => {
  const hostNetwork = member(spec, 'hostNetwork') === true;
  const container: Change = (one) =>
    resolveContainer(hostNetwork ? mapItems(one, 'ports', withoutImpliedHostPort) : one);
  return mapItems(mapContainers(container)(withOneServiceAccount(spec)), 'volumes', resolveVolume);
};

/** `serviceAccount` is the old name of `serviceAccountName`; the server keeps both in step. */
const withOneServiceAccount: Change = (spec) => {
  const name = member(spec, 'serviceAccountName') || member(spec, 'serviceAccount');
  const rest = withoutMember(spec, 'serviceAccount');
  return name ? withMember(rest, 'serviceAccountName', name) : rest;
};

const resolveContainer: Change = (container) =>
  withMember(
    container,
    'imagePullPolicy',
    member(container, 'imagePullPolicy') || defaultPullPolicy(text(member(container, 'image'))),
  );

/** With hostNetwork the server fills `hostPort` in from `containerPort`. */
const withoutImpliedHostPort: Change = (port) =>
  member(port, 'hostPort') === member(port, 'containerPort') ? withoutMember(port, 'hostPort') : port;

/** A volume without a source is an emptyDir. */
const resolveVolume: Change = (volume) => {
  const sources = Object.keys(volume).filter((key) => key !== 'name' && isPlainObject(volume[key]));
  if (sources.length === 0) return withMember(volume, 'emptyDir', {});
  return mapMember(volume, 'image', (image) =>
    withMember(image, 'pullPolicy', member(image, 'pullPolicy') || defaultPullPolicy(text(member(image, 'reference')))),
  );
};

/** A request that is missing is filled in from its limit (SetDefaults_Pod). Quantities are in one spelling here. */
const withoutImpliedRequests = (resources: PlainObject, isImplied = (_name: string): boolean => true): PlainObject => {
  const limits = member(resources, 'limits');
  const requests = member(resources, 'requests');
  if (!isPlainObject(limits) || !isPlainObject(requests)) return resources;
  const own = Object.entries(requests).filter(([name, one]) => member(limits, name) !== one || !isImplied(name));
  return own.length === 0
    ? withoutMember(resources, 'requests')
    : withMember(resources, 'requests', Object.fromEntries(own));
};

/** In containers always; of the Pod as a whole only where no container says anything of that resource. */
const withoutAllImpliedRequests: Change = (spec) => {
  const said = new Set(
    ['containers', 'initContainers']
      .flatMap((list) => itemsOf(spec, list))
      .flatMap((container) => {
        const resources = member(container, 'resources');
        return isPlainObject(resources) ? Object.values(resources).filter(isPlainObject).flatMap(Object.keys) : [];
      }),
  );
  const containers = mapContainers((one) => mapMember(one, 'resources', (own) => withoutImpliedRequests(own)));
  return mapMember(containers(spec), 'resources', (own) => withoutImpliedRequests(own, (name) => !said.has(name)));
};

const itemsOf = (object: PlainObject, key: string): readonly PlainObject[] => {
  const items = member(object, key);
  return Array.isArray(items) ? items.filter(isPlainObject) : [];
};

const mapContainers =
  (change: Change): Change =>
  (spec) =>
    mapItems(mapItems(spec, 'containers', change), 'initContainers', change);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
