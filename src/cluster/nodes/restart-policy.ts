import type { Container, Pod } from '../../objects/index.ts';

/** A sidecar: an init container that is kept running beside the others. */
export const isSidecar = (container: Container): boolean => container.restartPolicy === 'Always';

/**
 * Whether a container that ended by itself is started again. The container's own rules come before its own policy,
 * which comes before the Pod's (KEP-5307).
 */
export const restartsAfterExit = (pod: Pod, container: Container, exitCode: number): boolean => {
  for (const rule of container.restartPolicyRules ?? []) {
    const listed = rule.exitCodes?.values?.includes(exitCode) === true;
    if (rule.action === 'Restart' && listed === (rule.exitCodes?.operator === 'In')) return true;
  }
  switch (container.restartPolicy ?? pod.spec.restartPolicy) {
    case 'Never':
      return false;
    case 'OnFailure':
      return exitCode !== 0;
    default:
      return true;
  }
};

/** Whether a running container that fails a probe may be started again; a changed image always restarts it. */
export const restartsOnFailure = (pod: Pod, container: Container): boolean =>
  (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
