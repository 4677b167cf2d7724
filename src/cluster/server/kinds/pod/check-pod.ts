import type { StoredObject } from '../../../server-types.ts';
import { duplicate, type FieldError, invalidValue, notSupported, required } from '../../field-error.ts';
import { record, records } from '../fields.ts';
import { checkName } from '../names.ts';
import { checkContainers } from './check-container.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a Pod, new or changed (validation.ValidatePodSpec, the part that specs meet in practice). */
export const checkPod = (pod: StoredObject): readonly FieldError[] => {
  const spec = record(pod['spec']);
  const volumes = records(spec['volumes']);
  const volumeNames = new Set(volumes.map((volume) => volume['name']));
  return [
    ...checkVolumes(volumes),
    ...(records(spec['containers']).length === 0 ? [required('spec.containers')] : []),
    ...checkContainers(spec, volumeNames),
    ...checkChoice(spec, 'restartPolicy', ['Always', 'OnFailure', 'Never']),
    ...checkChoice(spec, 'dnsPolicy', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...checkDeadline(spec),
    ...['hostname', 'subdomain'].flatMap((field) => checkLabelField(spec, field)),
    ...checkEphemeral(spec),
  ];
};

const checkVolumes = (volumes: readonly Fields[]): readonly FieldError[] =>
  volumes.flatMap((volume, index) => {
    const at = `spec.volumes[${index}].name`;
    const { name } = volume;
    if (typeof name !== 'string' || name === '') return [required(at)];
    const twice = volumes.findIndex((other) => other['name'] === name) < index;
    return [...checkName('label', name, at), ...(twice ? [duplicate(at, name)] : [])];
  });

export const checkChoice = (
  spec: Fields,
  field: string,
  choices: readonly string[],
  at = 'spec',
): readonly FieldError[] => {
  const value = spec[field];
  return value === undefined || choices.includes(String(value)) ? [] : [notSupported(`${at}.${field}`, value, choices)];
};

const checkDeadline = (spec: Fields): readonly FieldError[] => {
  const seconds = spec['activeDeadlineSeconds'];
  if (seconds === undefined || (Number(seconds) >= 1 && Number(seconds) <= 2 ** 31 - 1)) return [];
  return [invalidValue('spec.activeDeadlineSeconds', seconds, 'must be between 1 and 2147483647, inclusive')];
};

const checkLabelField = (spec: Fields, field: string): readonly FieldError[] => {
  const value = spec[field];
  return typeof value === 'string' && value !== '' ? checkName('label', value, `spec.${field}`) : [];
};

const checkEphemeral = (spec: Fields): readonly FieldError[] => {
  const names = new Set([...records(spec['containers']), ...records(spec['initContainers'])].map((one) => one['name']));
  return records(spec['ephemeralContainers']).flatMap((container, index) => {
    const at = `spec.ephemeralContainers[${index}]`;
    const { name, image } = container;
    return [
      ...(typeof name === 'string' && name !== '' ? checkName('label', name, `${at}.name`) : [required(`${at}.name`)]),
      ...(names.has(name) ? [duplicate(`${at}.name`, name)] : []),
      ...(image ? [] : [required(`${at}.image`)]),
    ];
  });
};
