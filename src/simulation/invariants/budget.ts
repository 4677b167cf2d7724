import type { ModelServing, RoleInstanceIdentity } from '../../api/index.ts';
import {
  effectiveMaxSurge,
  effectiveMaxUnavailable,
  effectiveReplicas,
  effectiveRoleReplicas,
} from '../../api/index.ts';
import type { Finding, Invariant, Judged } from './invariant.ts';
import type { Scene, ScenePod } from './scene.ts';
import { instanceKey, isAvailable, isSurplus, liveGroups, poolKey, unitKey, unitPods } from './units.ts';
import { ownImagePatch, ownTakeDown } from './write-kinds.ts';

interface Held {
  readonly pool: string;
  readonly key: string;
  /** One of its role instances. */
  readonly id: RoleInstanceIdentity;
}

/** The Pod whose unit an own write of an update takes out of service; undefined for scaling and recovery. */
export const takenForUpdate = (judged: Judged): ScenePod | undefined => {
  const patched = ownImagePatch(judged);
  if (patched !== undefined) return patched;
  const deleted = ownTakeDown(judged);
  if (deleted === undefined || isSurplus(judged.scene, deleted)) return undefined;
  const record = judged.scene.records().find((it) => instanceKey(it) === instanceKey(deleted));
  return record?.leaving === true ? deleted : undefined;
};

/** How many units of the pool an update may hold, at most, by any version of the spec still in play. */
const limitOf = (scene: Scene, id: RoleInstanceIdentity, held: readonly string[]): number =>
  Math.max(
    ...scene.recent().map((it) => limitBy(it, id, new Set([...held, ...[...liveGroups(scene)].map(String)]).size)),
  );

/** Each group beyond those wanted, up to maxSurge, lends its slot. */
const limitBy = (modelServing: ModelServing, id: RoleInstanceIdentity, groups: number): number => {
  const { spec } = modelServing;
  if (poolKey(modelServing, id) === '') {
    const knobs = spec.rolloutStrategy?.rollingUpdateConfiguration;
    const replicas = effectiveReplicas(spec);
    const lent = Math.min(effectiveMaxSurge(knobs, replicas), Math.max(0, groups - replicas));
    return effectiveMaxUnavailable(knobs, replicas) + lent;
  }
  const role = spec.template.roles.find(({ name }) => name === id.role);
  return role === undefined ? 1 : effectiveMaxUnavailable(role, effectiveRoleReplicas(role));
};

/** A unit holds its slot until it serves again, or is on its way out because nobody wants it any more. */
const isOver = (scene: Scene, { key, id }: Held): boolean => {
  if (isAvailable(scene, key) || scene.modelServing === undefined) return true;
  const record = scene.records().find((it) => instanceKey(it) === instanceKey(id));
  if (record?.leaving === true) return isSurplus(scene, id);
  return unitPods(scene, key).length === 0 && liveGroups(scene).size >= effectiveReplicas(scene.modelServing.spec);
};

export const budget: Invariant = {
  id: 'I1, I3',
  rule: 'Of the units that an update took out of service and that do not serve again, there are never more than maxUnavailable: a slot is held until every Pod is Ready and really runs the target.',
  begin: () => {
    const held = new Map<string, Held>();
    return {
      before: (judged): Finding => {
        const { scene } = judged;
        const { modelServing } = scene;
        const taken = takenForUpdate(judged);
        if (taken === undefined || modelServing === undefined) return undefined;
        const key = unitKey(modelServing, taken);
        if (!isAvailable(scene, key)) return undefined;
        const pool = poolKey(modelServing, taken);
        held.set(key, { pool, key, id: taken });
        const inPool = [...held.values()].filter((it) => it.pool === pool).map((it) => it.key);
        const limit = limitOf(scene, taken, inPool);
        if (inPool.length <= limit) return undefined;
        return `Pod ${taken.name} is taken out of service while units ${inPool.join(', ')} are; at most ${limit} may be`;
      },
      after: ({ scene }) => {
        for (const it of held.values()) if (isOver(scene, it)) held.delete(it.key);
        return undefined;
      },
    };
  },
};
