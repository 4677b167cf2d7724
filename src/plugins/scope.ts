import type { PluginSpec } from '../api/index.ts';

/**
 * Whether an entry of `spec.plugins` is about a Pod: of one of its Roles (none named: of any) and of its target. A
 * target that is none of Entry, Worker and All is about no Pod; admission warns of it.
 */
export const isInScope = (
  { scope }: Pick<PluginSpec, 'scope'>,
  pod: { readonly role: string; readonly index: number },
): boolean => {
  const roles = scope?.roles ?? [];
  return (roles.length === 0 || roles.includes(pod.role)) && isTarget(scope?.target, pod.index);
};

const isTarget = (target: string | undefined, index: number): boolean => {
  switch (target || 'All') {
    case 'All':
      return true;
    case 'Entry':
      return index === 0;
    case 'Worker':
      return index > 0;
    default:
      return false;
  }
};
