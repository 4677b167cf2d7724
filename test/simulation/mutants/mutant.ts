import type { ModelServing, ModelServingStatus } from '../../../src/api/index.ts';
import type { KubeObject } from '../../../src/objects/index.ts';
import { type DecideInput, type Decision, decide, type Effect } from '../../../src/rollout/index.ts';
import type { Plan } from '../../../src/simulation/index.ts';

/** A deliberately wrong operator, as a wrapper around the decision that ships. */
export interface Mutant {
  /** What it gets wrong. */
  readonly name: string;
  readonly decide: (input: DecideInput) => Decision;
  /** Only in such a plan can it go wrong; others are skipped. */
  readonly habitat?: (plan: Plan) => boolean;
}

/** The mutant, hunted where it lives. */
export const livesIn = (habitat: (plan: Plan) => boolean, mutant: Mutant): Mutant => ({ ...mutant, habitat });

/** Wrong because it reads the ModelServing wrong. */
export const misreads = (name: string, how: (modelServing: ModelServing) => ModelServing): Mutant => ({
  name,
  decide: (input) => decide({ ...input, modelServing: how(input.modelServing) }),
});

/** Wrong because it sees something else than there is. */
export const missees = (name: string, how: (input: DecideInput) => DecideInput): Mutant => ({
  name,
  decide: (input) => decide(how(input)),
});

/** Wrong in what it asks for: effects are changed, dropped (undefined) or kept. */
export const misdoes = (name: string, how: (effect: Effect, input: DecideInput) => Effect | undefined): Mutant => ({
  name,
  decide: (input) => {
    const decision = decide(input);
    const effects = decision.effects.map((stage) => stage.flatMap((effect) => how(effect, input) ?? []));
    return { ...decision, effects };
  },
});

/** Wrong in what it writes to the status. */
export const misreports = (
  name: string,
  how: (status: ModelServingStatus, input: DecideInput) => ModelServingStatus,
): Mutant => ({
  name,
  decide: (input) => {
    const decision = decide(input);
    return { ...decision, status: decision.status === undefined ? undefined : how(decision.status, input) };
  },
});

/** Wrong because it does something more. */
export const overdoes = (
  name: string,
  more: (input: DecideInput, decision: Decision) => readonly Effect[],
): Mutant => ({
  name,
  decide: (input) => {
    const decision = decide(input);
    const extra = more(input, decision);
    return extra.length === 0 ? decision : { ...decision, effects: [...decision.effects, extra] };
  },
});

export const withKnobs = (
  modelServing: ModelServing,
  knobs: { readonly maxUnavailable?: number | string; readonly partition?: number },
): ModelServing => {
  const { spec } = modelServing;
  const { rolloutStrategy, template } = spec;
  return {
    ...modelServing,
    spec: {
      ...spec,
      template: { ...template, roles: template.roles.map((role) => ({ ...role, ...knobs })) },
      rolloutStrategy: {
        ...rolloutStrategy,
        rollingUpdateConfiguration: { ...rolloutStrategy?.rollingUpdateConfiguration, ...knobs },
      },
    },
  };
};

type Fields = Record<string, unknown>;

/** A copy of a patch body with one member of a nested object replaced or, with undefined, taken away. */
export const withMember = (body: unknown, path: readonly string[], value: unknown): unknown => {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  const fields = (body ?? {}) as Fields;
  const next = withMember(fields[head], rest, value);
  const { [head]: _, ...others } = fields;
  return next === undefined ? others : { ...others, [head]: next };
};

export const isImagePatch = (effect: Effect): effect is Extract<Effect, { kind: 'patch' }> =>
  effect.kind === 'patch' && effect.resource === 'pods' && containersOf(effect.body).length > 0;

export const containersOf = (body: unknown): readonly { readonly name: string; readonly image?: string }[] =>
  (body as { spec?: { containers?: readonly { name: string; image?: string }[] } }).spec?.containers ?? [];

export type PodLike = KubeObject & { readonly spec: { readonly containers: readonly Fields[] } };

export const withSpec = (ms: ModelServing, fields: Partial<ModelServing['spec']>): ModelServing => ({
  ...ms,
  spec: { ...ms.spec, ...fields },
});

export const withStrategy = (
  ms: ModelServing,
  fields: NonNullable<ModelServing['spec']['rolloutStrategy']>,
): ModelServing => withSpec(ms, { rolloutStrategy: { ...ms.spec.rolloutStrategy, ...fields } });
