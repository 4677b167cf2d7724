import { type RevisionRole, type RoleMeaning, roleMeaning } from '../revision/index.ts';
import { shortPath } from './as-reasons.ts';
import { checkRestartPolicy } from './check-restart-policy.ts';
import { checkTemplate } from './check-template.ts';
import type { EligibilityResult, ImageChange, Reason } from './reason.ts';

/** What of one Role cannot be applied by patching images, and the images that can. Reasons are not sorted yet. */
export const checkRole = (before: RevisionRole, after: RevisionRole): EligibilityResult => {
  const [old, now] = [roleMeaning(before), roleMeaning(after)];
  const path = rolePath(now.name);
  const entry = checkTemplate(old.entryTemplate, now.entryTemplate, `${path}.entryTemplate`);
  const worker = checkWorker(old, now, `${path}.workerTemplate`);
  const imageChanges: readonly ImageChange[] = [
    ...entry.images.map((image) => ({ role: now.name, template: 'entry' as const, ...image })),
    ...worker.images.map((image) => ({ role: now.name, template: 'worker' as const, ...image })),
  ];
  return {
    reasons: [
      ...checkWorkerReplicas(old, now, `${path}.workerReplicas`),
      ...entry.reasons,
      ...worker.reasons,
      // Entry and workers restart together or because of one another: the rule holds for both, whichever image changes.
      ...(imageChanges.length > 0 ? [old, now].flatMap((role) => restartReasons(role, path)) : []),
    ],
    imageChanges,
  };
};

export const rolePath = (role: string): string => `spec.template.roles[${role}]`;

const checkWorkerReplicas = (old: RoleMeaning, now: RoleMeaning, path: string): readonly Reason[] =>
  old.workerReplicas === now.workerReplicas
    ? []
    : [
        {
          path,
          kind: 'worker-replicas',
          message: `${shortPath(path)} changed from ${old.workerReplicas} to ${now.workerReplicas}`,
        },
      ];

const checkWorker = (old: RoleMeaning, now: RoleMeaning, path: string): ReturnType<typeof checkTemplate> => {
  if (old.workerTemplate !== undefined && now.workerTemplate !== undefined) {
    return checkTemplate(old.workerTemplate, now.workerTemplate, path);
  }
  if (old.workerTemplate === now.workerTemplate) return { reasons: [], images: [] };
  const verb = old.workerTemplate === undefined ? 'was added' : 'was removed';
  return { reasons: [{ path, kind: 'worker-template', message: `${shortPath(path)} ${verb}` }], images: [] };
};

const restartReasons = (role: RoleMeaning, path: string): readonly Reason[] => [
  ...checkRestartPolicy(role.entryTemplate, `${path}.entryTemplate`),
  ...(role.workerTemplate ? checkRestartPolicy(role.workerTemplate, `${path}.workerTemplate`) : []),
];
