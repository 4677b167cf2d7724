import type { ModelServing, PluginSpec, PodTemplate, Role } from '../api/index.ts';
import { jsonEqual, podTemplateMeaning, resourceVersionOf } from '../objects/index.ts';
import { desiredRole, labelsPlugin } from './desired-model-serving.ts';
import type { LeaderWorkerSet } from './leader-worker-set.ts';

/**
 * The JSON merge patch that brings a ModelServing to what its LeaderWorkerSet asks for; undefined where it already
 * means that. Replicas, the Role and the labels plugin follow the LeaderWorkerSet; everything else (scheduler, rollout
 * strategy, policies, more plugins) belongs to whoever set it on the ModelServing.
 */
export const modelServingPatch = (live: ModelServing, lws: LeaderWorkerSet): object | undefined => {
  const replicas = lws.spec.replicas ?? 1;
  const roles = rolesPatch(live.spec.template.roles, desiredRole(lws));
  const plugins = pluginsPatch(live.spec.plugins ?? []);
  const spec = {
    ...((live.spec.replicas ?? 1) === replicas ? {} : { replicas }),
    ...(plugins === undefined ? {} : { plugins }),
    ...(roles === undefined ? {} : { template: { roles } }),
  };
  if (Object.keys(spec).length === 0) return undefined;
  return { metadata: { resourceVersion: resourceVersionOf(live) }, spec };
};

/** The list is one value to the API server, so it goes whole, with the rollout knobs that the Role has. */
const rolesPatch = (live: readonly Role[], wanted: Role): readonly Role[] | undefined => {
  const [role] = live;
  if (live.length === 1 && role !== undefined && meansTheSame(role, wanted)) return undefined;
  const same = live.find(({ name }) => name === wanted.name);
  return [{ ...same, ...wanted }];
};

const meansTheSame = (role: Role, wanted: Role): boolean =>
  role.name === wanted.name &&
  (role.replicas ?? 1) === wanted.replicas &&
  role.workerReplicas === wanted.workerReplicas &&
  jsonEqual(meaningOf(role.entryTemplate), meaningOf(wanted.entryTemplate)) &&
  jsonEqual(meaningOf(role.workerTemplate), meaningOf(wanted.workerTemplate));

const meaningOf = (template: PodTemplate | undefined): unknown =>
  template === undefined ? undefined : podTemplateMeaning({ ...template });

const pluginsPatch = (live: readonly PluginSpec[]): readonly PluginSpec[] | undefined =>
  live.some(({ name }) => name === labelsPlugin) ? undefined : [{ name: labelsPlugin, type: 'BuiltIn' }, ...live];
