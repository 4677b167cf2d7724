import type { Container, EnvVar, PodSpec } from '../objects/index.ts';

/** What a container learns about its place in the role instance. */
export interface Place {
  /** Pods of the role instance: the entry and its workers. */
  readonly size: number;
  /** DNS name of the entry Pod: its headless Service and namespace. */
  readonly entryAddress: string;
  /** 0 in the entry Pod. */
  readonly workerIndex: number;
}

/** Names of the injected variables, in the order in which they stand. */
export const injectedVariables: readonly string[] = ['GROUP_SIZE', 'ENTRY_ADDRESS', 'WORKER_INDEX'];

/**
 * The Pod spec with the three variables in every container and init container, but not in ephemeral ones. They
 * replace variables of the same name and stand last, so `$(ENTRY_ADDRESS)` works in command and args but not in the
 * value of another variable: that is the wire contract, existing Pods look like this.
 */
export const injectEnvironment = (spec: PodSpec, place: Place): PodSpec => {
  const injected: readonly EnvVar[] = [
    { name: 'GROUP_SIZE', value: `${place.size}` },
    { name: 'ENTRY_ADDRESS', value: place.entryAddress },
    { name: 'WORKER_INDEX', value: `${place.workerIndex}` },
  ];
  const inject = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []).filter(({ name }) => !injectedVariables.includes(name)), ...injected],
  });
  return {
    ...spec,
    containers: spec.containers.map(inject),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(inject) }),
  };
};
