import type { ModelServingSpec, Role } from '../../src/api/index.ts';
import type { EligibilityResult } from '../../src/eligibility/index.ts';
import { type Container, deepFreeze, type PodSpec } from '../../src/objects/index.ts';

/** One Role `r` of an entry and a worker, each with a container `c`. */
export const oneRole = (
  edit: {
    readonly image?: string;
    readonly workerImage?: string;
    readonly container?: Partial<Container>;
    readonly pod?: Partial<PodSpec>;
    readonly role?: Partial<Role>;
    readonly spec?: Partial<ModelServingSpec>;
    readonly template?: Partial<ModelServingSpec['template']>;
  } = {},
): ModelServingSpec => {
  const { image = 'app:v1', workerImage = image } = edit;
  const podSpec = (one: string): PodSpec => ({
    containers: [{ name: 'c', image: one, ...edit.container }],
    ...edit.pod,
  });
  return deepFreeze({
    replicas: 4,
    schedulerName: 'volcano',
    template: {
      roles: [
        {
          name: 'r',
          replicas: 1,
          workerReplicas: 1,
          entryTemplate: { spec: podSpec(image) },
          workerTemplate: { spec: podSpec(workerImage) },
          ...edit.role,
        },
      ],
      ...edit.template,
    },
    ...edit.spec,
  });
};

export const paths = ({ reasons }: EligibilityResult): readonly string[] => reasons.map(({ path }) => path);

/** Each kind once. */
export const kinds = ({ reasons }: EligibilityResult): readonly string[] => [
  ...new Set(reasons.map(({ kind }) => kind)),
];

export const entry = 'spec.template.roles[r].entryTemplate';
export const worker = 'spec.template.roles[r].workerTemplate';
