import type { Container, EnvVar } from '../objects/index.ts';
import { isPlainObject, type PlainObject } from '../objects/index.ts';
import type { Configured, Plugin, PodChange } from './plugin.ts';

interface Tweaks {
  readonly runtimeClassName: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly env: readonly EnvVar[];
}

/**
 * Sets a runtime class, adds annotations (they win over the template's) and appends variables to all containers and
 * init containers. `config: { runtimeClassName, annotations, env }`, each may be left out; members it does not know are
 * left alone, as kthena does.
 */
export const demoPodTweaks: Plugin = {
  name: 'demo-pod-tweaks',
  configure: (config): Configured => {
    const tweaks = readTweaks(config);
    return typeof tweaks === 'string'
      ? { state: 'refused', problem: tweaks }
      : { state: 'ready', change: changeWith(tweaks) };
  },
};

const changeWith =
  (tweaks: Tweaks): PodChange =>
  (pod) => {
    const { spec, metadata } = pod;
    const append = (container: Container): Container =>
      tweaks.env.length === 0 ? container : { ...container, env: [...(container.env ?? []), ...tweaks.env] };
    return {
      ...pod,
      metadata: { ...metadata, annotations: { ...metadata.annotations, ...tweaks.annotations } },
      spec: {
        ...spec,
        ...(tweaks.runtimeClassName === '' ? {} : { runtimeClassName: tweaks.runtimeClassName }),
        containers: spec.containers.map(append),
        ...(spec.initContainers && { initContainers: spec.initContainers.map(append) }),
      },
    };
  };

/** The tweaks, or what is wrong with them. Null is nothing, as in Go. */
const readTweaks = (config: unknown): Tweaks | string => {
  const given = config ?? {};
  if (!isPlainObject(given)) return 'it must be an object';
  const { runtimeClassName = '', annotations = {}, env = [] } = withoutNulls(given);
  if (typeof runtimeClassName !== 'string') return 'runtimeClassName must be a string';
  if (!isPlainObject(annotations) || Object.values(annotations).some((value) => typeof value !== 'string')) {
    return 'annotations must be an object of strings';
  }
  if (!Array.isArray(env) || !env.every(isVariable)) return 'env must be a list of variables, each with a name';
  return { runtimeClassName, annotations: annotations as Tweaks['annotations'], env };
};

const withoutNulls = (value: PlainObject): PlainObject =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));

const isVariable = (value: unknown): value is EnvVar =>
  isPlainObject(value) && typeof value['name'] === 'string' && value['name'] !== '';
