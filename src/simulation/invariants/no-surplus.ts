import { effectiveMaxSurge, effectiveReplicas, effectiveRoleReplicas } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { liveGroups, liveInstances } from './units.ts';
import { ownPodWrite } from './write-kinds.ts';

export const noSurplus: Invariant = {
  id: 'I7',
  rule: 'A Pod is never created for a group or role instance beyond those that the spec wants, maxSurge included.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const made = ownPodWrite(judged, 'create');
      if (made === undefined || scene.modelServing === undefined) return undefined;
      const groups = liveGroups(scene);
      const instances = liveInstances(scene, made.group, made.role);
      const mayBe = scene.recent().some(({ spec }) => {
        const replicas = effectiveReplicas(spec);
        const surge = effectiveMaxSurge(spec.rolloutStrategy?.rollingUpdateConfiguration, replicas);
        return groups.has(made.group) || groups.size < replicas + surge;
      });
      const mayBeInstance = scene.recent().some(({ spec }) => {
        const role = spec.template.roles.find(({ name }) => name === made.role);
        if (role === undefined) return true;
        const wanted = effectiveRoleReplicas(role);
        return instances.has(made.instance) || instances.size < wanted + effectiveMaxSurge(role, wanted);
      });
      if (mayBe && mayBeInstance) return undefined;
      return `Pod ${made.name} is created, beside groups ${[...groups].join(', ')} and instances ${[...instances].join(', ')}`;
    },
  }),
};
