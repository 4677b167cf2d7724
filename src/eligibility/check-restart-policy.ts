import { isPlainObject, member, type PlainObject } from '../objects/index.ts';
import { shortPath } from './as-reasons.ts';
import type { Reason } from './reason.ts';

/**
 * Why a container might not come back after its image was patched. The kubelet restarts a *running* container for a
 * new image whatever the policy says, but one that has exited only where the policy restarts it; so the Pod's must be
 * Always, and no regular container may have a policy or rules of its own.
 *
 * @param template  the meaning of a Pod template
 */
export const checkRestartPolicy = (template: PlainObject, path: string): readonly Reason[] => {
  const spec = member(template, 'spec');
  if (!isPlainObject(spec)) return [];
  const policy = member(spec, 'restartPolicy') ?? 'Always';
  const containers = member(spec, 'containers');
  return [
    ...(policy === 'Always' ? [] : [podReason(String(policy), `${path}.spec.restartPolicy`)]),
    ...(Array.isArray(containers) ? containers.filter(isPlainObject) : []).flatMap((container) =>
      ['restartPolicy', 'restartPolicyRules']
        .filter((field) => member(container, field) !== undefined)
        .map((field) => containerReason(`${path}.spec.containers[${String(member(container, 'name'))}].${field}`)),
    ),
  ];
};

const podReason = (policy: string, path: string): Reason => ({
  path,
  kind: 'restart-policy',
  message: `${shortPath(path)} is ${policy}, but an image can be patched only where restartPolicy is Always`,
});

const containerReason = (path: string): Reason => ({
  path,
  kind: 'container-restart-policy',
  message: `${shortPath(path)} is set, but an image can be patched only where the container follows the Pod's restartPolicy`,
});
