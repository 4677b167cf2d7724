import { invalid } from '../../objects/index.ts';
import { type Check, rolesOf } from './check.ts';
import { dnsLabelErrors } from './dns-label.ts';

/**
 * Names of Pods and Services must be DNS labels. Judged by counts instead of the highest ordinals, as kthena does it:
 * a little strict, but the same name is refused by both.
 */
export const checkGeneratedNames: Check = (modelServing) => {
  const name = modelServing.metadata?.name ?? '';
  return rolesOf(modelServing).flatMap(({ role }) => {
    const counts = [name, modelServing.spec.replicas ?? 1, role.name, role.replicas ?? 1, role.workerReplicas];
    const problems = dnsLabelErrors(counts.join('-'));
    return problems.length === 0 ? [] : [invalid('metadata.name', name, `invalid name: ${problems.join('; ')}`)];
  });
};

export const checkRoleNames: Check = (modelServing) =>
  rolesOf(modelServing).flatMap(({ role, path }) => {
    const problems = dnsLabelErrors(role.name);
    if (problems.length === 0) return [];
    const rule =
      "role name must be a valid DNS-1035 label (lowercase alphanumeric characters or '-', must start with a letter)";
    return [invalid(`${path}.name`, role.name, `${rule}: ${problems.join('; ')}`)];
  });
