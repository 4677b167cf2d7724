import { jsonEqual } from '../../../../objects/index.ts';
import type { StoredObject } from '../../../server-types.ts';
import { duplicate, type FieldError, notSupported, required } from '../../field-error.ts';
import { record, records } from '../fields.ts';
import { checkName } from '../names.ts';
import { checkPortNumber } from '../pod/check-container.ts';

type Fields = Readonly<Record<string, unknown>>;

export const checkService = (service: StoredObject): readonly FieldError[] => {
  const spec = record(service['spec']);
  const { type, clusterIP } = spec;
  const ports = records(spec['ports']);
  const needsPorts = type !== 'ExternalName' && clusterIP !== 'None';
  return [
    ...(needsPorts && ports.length === 0 ? [required('spec.ports')] : []),
    ...(type === 'ExternalName' && !spec['externalName'] ? [required('spec.externalName')] : []),
    ...ports.flatMap((port, index) => checkPort(port, index, ports)),
    ...checkChoice(spec, 'type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...checkChoice(spec, 'sessionAffinity', ['ClientIP', 'None']),
  ];
};

export const checkServiceUpdate = (next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const [now, before] = [record(next['spec']), record(previous['spec'])];
  const fixed = now['type'] !== 'ExternalName' && before['type'] !== 'ExternalName';
  return [...(fixed ? checkAddresses(now, before) : []), ...checkService(next)];
};

const checkAddresses = (now: Fields, before: Fields): readonly FieldError[] => {
  if (jsonEqual(now['clusterIPs'], before['clusterIPs']) && now['clusterIP'] === before['clusterIP']) return [];
  // An old client knows the one address alone: the list follows it (normalizeClusterIPs).
  const follows = jsonEqual(now['clusterIPs'], before['clusterIPs']);
  const shown = follows ? [now['clusterIP']] : [now['clusterIPs'] ?? []].flat();
  return [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.clusterIPs[0]',
      message: `Invalid value: ${JSON.stringify(shown)}: may not change once set`,
    },
  ];
};

const checkPort = (port: Fields, index: number, ports: readonly Fields[]): readonly FieldError[] => {
  const at = `spec.ports[${index}]`;
  const { name } = port;
  const isSame = (other: Fields): boolean => other['port'] === port['port'] && other['protocol'] === port['protocol'];
  return [
    ...(ports.length > 1 && !name ? [required(`${at}.name`)] : []),
    ...(typeof name === 'string' && name !== '' ? checkName('label', name, `${at}.name`) : []),
    ...(name && ports.findIndex((other) => other['name'] === name) < index ? [duplicate(`${at}.name`, name)] : []),
    ...checkPortNumber(port['port'], `${at}.port`),
    ...(['SCTP', 'TCP', 'UDP'].includes(String(port['protocol']))
      ? []
      : [notSupported(`${at}.protocol`, port['protocol'], ['SCTP', 'TCP', 'UDP'])]),
    ...(ports.findIndex(isSame) < index ? [duplicate(at, { port: port['port'], protocol: port['protocol'] })] : []),
  ];
};

const checkChoice = (spec: Fields, field: string, choices: readonly string[]): readonly FieldError[] =>
  choices.includes(String(spec[field])) ? [] : [notSupported(`spec.${field}`, spec[field], choices)];
