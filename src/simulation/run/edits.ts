import {
  inPlaceUpdateStateAnnotation,
  type ModelServing,
  modelServingResource,
  pausedAnnotation,
  type Role,
} from '../../api/index.ts';
import { isApiError, type KubeClient, type Resource, resources } from '../../kube/index.ts';
import { nameOf, type ObjectRef, type Pod, type Service } from '../../objects/index.ts';
import { buildServing, servingName } from '../plan/build-serving.ts';
import type { Edit, ServingPlan } from '../plan/plan.ts';
import { withImage } from '../with-image.ts';

export const modelServings: Resource<ModelServing> = modelServingResource;
export const servingRef: ObjectRef = { namespace: 'default', name: servingName };

export interface People {
  readonly client: KubeClient;
  readonly serving: ServingPlan;
  /** In order of their names. */
  pods(): readonly Pod[];
  services(): readonly Service[];
  evict(pod: Pod): void;
}

/** What a person does, as kubectl would send it. Rejects with an ApiError where the API server refuses. */
export const performEdit = async (people: People, edit: Edit): Promise<void> => {
  const { client } = people;
  const change = (how: (live: ModelServing) => ModelServing): Promise<void> => changeServing(client, how);
  switch (edit.kind) {
    case 'image':
      return change((live) => withImage(live, edit.image, edit.role));
    case 'scale':
      return change((live) => ({ ...live, spec: { ...live.spec, replicas: edit.groups } }));
    case 'role-replicas':
      return change((live) =>
        withRoles(live, (role) => (role.name === edit.role ? { ...role, replicas: edit.replicas } : role)),
      );
    case 'partition':
      return change((live) => withKnob(live, { partition: edit.partition }));
    case 'max-unavailable':
      return change((live) => withKnob(live, { maxUnavailable: edit.maxUnavailable }));
    case 'method':
      return change((live) => ({
        ...live,
        spec: { ...live.spec, rolloutStrategy: { ...live.spec.rolloutStrategy, updateMethod: edit.method } },
      }));
    case 'pause':
      return change((live) => ({
        ...live,
        metadata: {
          ...live.metadata,
          annotations: { ...live.metadata.annotations, [pausedAnnotation]: String(edit.paused) },
        },
      }));
    case 'recreate':
      await client.delete(modelServings, servingRef, { propagationPolicy: 'Background' });
      await client.create(modelServings, buildServing(people.serving, edit.image));
      return;
    case 'delete-pod':
      return withChosen(people.pods(), edit.pick, (pod) => client.delete(resources.pods, refTo(pod)));
    case 'evict-pod':
      return withChosen(people.pods(), edit.pick, async (pod) => people.evict(pod));
    case 'image-by-hand':
      return withChosen(people.pods(), edit.pick, (pod) =>
        client.patch(resources.pods, refTo(pod), {
          type: 'strategic',
          body: { spec: { containers: [{ name: 'c', image: edit.image }] } },
        }),
      );
    case 'unlabel':
      return withChosen(people.pods(), edit.pick, (pod) =>
        patchMetadata(client, pod, { labels: { [edit.label]: null } }),
      );
    case 'spoil-marker':
      return withChosen(people.pods(), edit.pick, (pod) =>
        patchMetadata(client, pod, { annotations: { [inPlaceUpdateStateAnnotation]: edit.text } }),
      );
    case 'delete-service':
      return withChosen(people.services(), edit.pick, (service) => client.delete(resources.services, refTo(service)));
  }
};

/** What a user asks for who wants everything to end well: a good image, nothing held back. */
export const mend = (client: KubeClient, image: string): Promise<void> =>
  changeServing(client, (live) => {
    const { [pausedAnnotation]: _, ...annotations } = live.metadata.annotations ?? {};
    return withKnob(withImage({ ...live, metadata: { ...live.metadata, annotations } }, image), { partition: 0 });
  });

/** Puts the spec again as it is, as `kubectl apply` of the same manifest does. */
export const applyAgain = (client: KubeClient): Promise<void> => changeServing(client, (live) => live);

/** Reads, changes, writes; again where somebody wrote in between. */
const changeServing = async (client: KubeClient, how: (live: ModelServing) => ModelServing): Promise<void> => {
  for (;;) {
    const live = await client.get(modelServings, servingRef);
    try {
      await client.update(modelServings, how(live));
      return;
    } catch (error) {
      if (!isApiError(error, 'conflict')) throw error;
    }
  }
};

const withRoles = (live: ModelServing, how: (role: Role) => Role): ModelServing => ({
  ...live,
  spec: { ...live.spec, template: { ...live.spec.template, roles: live.spec.template.roles.map(how) } },
});

/** On the groups or on every Role, wherever this rollout type reads it. */
const withKnob = (
  live: ModelServing,
  knob: { readonly partition?: number; readonly maxUnavailable?: number },
): ModelServing => {
  const { rolloutStrategy } = live.spec;
  if (rolloutStrategy?.type === 'RoleRollingUpdate') return withRoles(live, (role) => ({ ...role, ...knob }));
  const rollingUpdateConfiguration = { ...rolloutStrategy?.rollingUpdateConfiguration, ...knob };
  return { ...live, spec: { ...live.spec, rolloutStrategy: { ...rolloutStrategy, rollingUpdateConfiguration } } };
};

const patchMetadata = (client: KubeClient, pod: Pod, metadata: unknown): Promise<unknown> =>
  client.patch(resources.pods, refTo(pod), { type: 'merge', body: { metadata } });

const refTo = (object: Pod | Service): ObjectRef => ({ namespace: object.metadata.namespace, name: nameOf(object) });

const withChosen = async <T>(all: readonly T[], pick: number, act: (chosen: T) => Promise<unknown>): Promise<void> => {
  const chosen = all[Math.floor(pick * all.length)];
  if (chosen !== undefined) await act(chosen);
};
