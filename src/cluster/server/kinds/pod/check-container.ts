import { compareQuantities, parseQuantity } from '../../../../objects/index.ts';
import { duplicate, type FieldError, invalidValue, notFoundValue, notSupported, required } from '../../field-error.ts';
import { record, records } from '../fields.ts';
import { checkName } from '../names.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Errors of init containers and containers; their names are unique among both. */
export const checkContainers = (spec: Fields, volumes: ReadonlySet<unknown>): readonly FieldError[] => {
  const seen = new Set<unknown>();
  const check = (list: string) => (container: Fields, index: number) => {
    const at = `spec.${list}[${index}]`;
    const errors = checkContainer(container, at, { seen, volumes });
    seen.add(container['name']);
    return errors;
  };
  return [
    ...records(spec['containers']).flatMap(check('containers')),
    ...records(spec['initContainers']).flatMap(check('initContainers')),
  ];
};

const checkContainer = (
  container: Fields,
  at: string,
  known: { readonly seen: ReadonlySet<unknown>; readonly volumes: ReadonlySet<unknown> },
): readonly FieldError[] => {
  const { name, imagePullPolicy } = container;
  return [
    ...(typeof name === 'string' && name !== '' ? checkName('label', name, `${at}.name`) : [required(`${at}.name`)]),
    ...(name && known.seen.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ...checkImage(container['image'], `${at}.image`),
    ...(['Always', 'IfNotPresent', 'Never'].includes(String(imagePullPolicy))
      ? []
      : [notSupported(`${at}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never'])]),
    ...checkPorts(records(container['ports']), `${at}.ports`),
    ...records(container['env']).flatMap((one, index) => (one['name'] ? [] : [required(`${at}.env[${index}].name`)])),
    ...checkMounts(records(container['volumeMounts']), known.volumes, `${at}.volumeMounts`),
    ...['livenessProbe', 'startupProbe'].flatMap((probe) => checkOneSuccess(container[probe], `${at}.${probe}`)),
    ...checkResources(record(container['resources']), `${at}.resources`),
  ];
};

export const checkImage = (image: unknown, at: string): readonly FieldError[] => {
  if (typeof image !== 'string' || image === '') return [required(at)];
  return image === image.trim() ? [] : [invalidValue(at, image, 'must not have leading or trailing whitespace')];
};

const checkPorts = (ports: readonly Fields[], at: string): readonly FieldError[] =>
  ports.flatMap((port, index) => {
    const here = `${at}[${index}]`;
    const number = port['containerPort'];
    const { name, protocol } = port;
    const twice = name !== undefined && ports.findIndex((other) => other['name'] === name) < index;
    return [
      ...(twice ? [duplicate(`${here}.name`, name)] : []),
      ...(number === undefined || number === 0
        ? [required(`${here}.containerPort`)]
        : checkPortNumber(number, `${here}.containerPort`)),
      ...(['TCP', 'UDP', 'SCTP'].includes(String(protocol))
        ? []
        : [notSupported(`${here}.protocol`, protocol, ['SCTP', 'TCP', 'UDP'])]),
    ];
  });

export const checkPortNumber = (port: unknown, at: string): readonly FieldError[] =>
  Number(port) >= 1 && Number(port) <= 65_535 ? [] : [invalidValue(at, port, 'must be between 1 and 65535, inclusive')];

const checkMounts = (mounts: readonly Fields[], volumes: ReadonlySet<unknown>, at: string): readonly FieldError[] =>
  mounts.flatMap((mount, index) => {
    const here = `${at}[${index}]`;
    const { name, mountPath } = mount;
    const twice = mounts.findIndex((other) => other['mountPath'] === mountPath) < index;
    const found = volumes.has(name);
    return [
      ...(name ? [] : [required(`${here}.name`)]),
      ...(name && !found ? [notFoundValue(`${here}.name`, name)] : []),
      ...(mountPath ? [] : [required(`${here}.mountPath`)]),
      ...(mountPath && twice ? [invalidValue(`${here}.mountPath`, mountPath, 'must be unique')] : []),
    ];
  });

// A container that lives or has started cannot do so half.
const checkOneSuccess = (probe: unknown, at: string): readonly FieldError[] => {
  const threshold = record(probe)['successThreshold'];
  return probe === undefined || threshold === 1 ? [] : [invalidValue(`${at}.successThreshold`, threshold, 'must be 1')];
};

const checkResources = (resources: Fields, at: string): readonly FieldError[] => {
  const limits = record(resources['limits']);
  return Object.entries(record(resources['requests'])).flatMap(([name, amount]) => {
    const limit = limits[name];
    if (limit === undefined || compareQuantities(parseQuantity(String(amount)), parseQuantity(String(limit))) <= 0)
      return [];
    const detail = `must be less than or equal to ${name} limit of ${String(limit)}`;
    return [invalidValue(`${at}.requests`, String(amount), detail)];
  });
};
