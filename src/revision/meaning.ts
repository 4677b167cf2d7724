import type { GangPolicy, NetworkTopology, PluginSpec, PodTemplate } from '../api/index.ts';
import { effectiveSchedulerName, identityLabels, injectedVariables, podStateAnnotations } from '../api/index.ts';
import {
  isPlainObject,
  mapItems,
  mapMember,
  member,
  type PlainObject,
  podTemplateMeaning,
  withMember,
  withoutMember,
} from '../objects/index.ts';
import type { RevisionRole } from './revision-data.ts';

/** One Role in one form for all its spellings. Equal JSON makes equal Pods. */
export interface RoleMeaning {
  readonly name: string;
  readonly workerReplicas: number;
  readonly entryTemplate: PlainObject;
  /** An empty one is not the same as none: it gets a Service. */
  readonly workerTemplate?: PlainObject;
}

export const roleMeaning = (role: RevisionRole): RoleMeaning => ({
  name: role.name,
  workerReplicas: role.workerReplicas ?? 0,
  entryTemplate: templateMeaning(role.entryTemplate),
  ...(role.workerTemplate ? { workerTemplate: templateMeaning(role.workerTemplate) } : {}),
});

/**
 * A template as Pods are made from it. What the operator overwrites in every Pod has no meaning: the template's
 * schedulerName, the variables and labels that say which Pod it is, and the state of another Pod in its annotations.
 */
export const templateMeaning = (template: PodTemplate): PlainObject => {
  const known = meanings.get(template);
  if (known !== undefined) return known;
  const meaning = podTemplateMeaning(asPodsAreMade({ ...template }));
  meanings.set(template, meaning);
  return meaning;
};

/** Objects never change, and the templates on record are compared again and again: each is worked out once. */
const meanings = new WeakMap<PodTemplate, PlainObject>();

const asPodsAreMade = (template: PlainObject): PlainObject =>
  mapMember(mapMember(template, 'spec', withoutOverwrittenSpec), 'metadata', (metadata) =>
    mapMember(
      mapMember(metadata, 'labels', (labels) => identityLabels.reduce(withoutMember, labels)),
      'annotations',
      (annotations) => podStateAnnotations.reduce(withoutMember, annotations),
    ),
  );

const withoutOverwrittenSpec = (spec: PlainObject): PlainObject =>
  ['containers', 'initContainers'].reduce(
    (rest, list) => mapItems(rest, list, (container) => withoutOperatorEnv(container)),
    withoutMember(spec, 'schedulerName'),
  );

/** The container without the variables that the operator writes itself. */
export const withoutOperatorEnv = (container: PlainObject): PlainObject => {
  const env = member(container, 'env');
  if (!Array.isArray(env)) return container;
  const kept = env.filter((one) => !isPlainObject(one) || !injectedVariables.includes(String(member(one, 'name'))));
  return kept.length === env.length ? container : withMember(container, 'env', kept);
};

/** Plugins in one form: `type` defaults to BuiltIn, an empty scope is no scope, null is nothing. Their order counts. */
export const pluginsMeaning = (plugins: readonly PluginSpec[]): readonly PlainObject[] =>
  plugins.map(({ name, type, config, scope }) => {
    const roles = [...new Set(scope?.roles ?? [])].sort();
    const target = scope?.target || 'All';
    return {
      name,
      type: type || 'BuiltIn',
      ...(config === undefined || config === null ? {} : { config }),
      scope: { target, ...(roles.length > 0 ? { roles } : {}) },
    };
  });

export const schedulerMeaning = (schedulerName: string | undefined): string =>
  effectiveSchedulerName({ schedulerName });

/** No policy and one that asks for nothing are the same. */
export const gangPolicyMeaning = (policy: GangPolicy | undefined): PlainObject => {
  const minRoleReplicas = policy?.minRoleReplicas ?? {};
  return Object.keys(minRoleReplicas).length > 0 ? { minRoleReplicas } : {};
};

/** The CRD defaults `mode` to hard. */
export const networkTopologyMeaning = (topology: NetworkTopology | undefined): PlainObject =>
  Object.fromEntries(
    (['groupPolicy', 'rolePolicy'] as const).flatMap((key) => {
      const policy = topology?.[key];
      if (policy === undefined || policy === null) return [];
      const { mode, highestTierAllowed, highestTierName } = policy;
      return [
        [
          key,
          {
            mode: mode ?? 'hard',
            ...(typeof highestTierAllowed === 'number' ? { highestTierAllowed } : {}),
            ...(highestTierName ? { highestTierName } : {}),
          },
        ],
      ];
    }),
  );
