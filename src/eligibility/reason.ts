/** What kind of thing stands against an update in place. The names appear in events, metrics and `plan`. */
export type ReasonKind =
  // The two revisions cannot be compared.
  | 'history-missing'
  | 'history-unreadable'
  | 'history-silent'
  // Beside the templates.
  | 'scheduler-name'
  | 'plugins'
  | 'gang-policy'
  | 'network-topology'
  | 'role-names'
  | 'worker-replicas'
  // In a template.
  | 'worker-template'
  | 'template-metadata'
  | 'container-names'
  | 'container-field'
  | 'init-containers'
  | 'volumes'
  | 'pod-field'
  // An image could be patched, but the kubelet would not do what the template says.
  | 'restart-policy'
  | 'container-restart-policy'
  | 'pull-policy'
  // The Pod as it is now.
  | 'pod-gone'
  | 'pod-terminating'
  | 'pod-finished'
  | 'pod-not-ours'
  | 'pod-container-missing'
  | 'pod-restart-policy'
  | 'pod-container-restart-policy'
  | 'pod-pull-policy';

/** One thing that an image patch cannot apply. */
export interface Reason {
  /**
   * The field, items of lists by their names: `spec.template.roles[prefill].entryTemplate.spec.containers[engine].args[1]`.
   * `history` where a whole revision is missing.
   */
  readonly path: string;
  readonly kind: ReasonKind;
  /** A sentence that stands on its own; it names the field, never the value of one that may be a secret. */
  readonly message: string;
}

/** One container whose image an update in place patches. */
export interface ImageChange {
  readonly role: string;
  readonly template: 'entry' | 'worker';
  readonly container: string;
  /** As spelled in the old template. Another spelling of one image is a change: the kubelet restarts for it. */
  readonly from: string;
  readonly to: string;
}

export interface EligibilityResult {
  /** Sorted by path, then kind. Empty: the edit can be applied in place. */
  readonly reasons: readonly Reason[];
  /** What there is to patch; complete only where there are no reasons. With neither, the two mean the same. */
  readonly imageChanges: readonly ImageChange[];
}

/** Sorted by path, then kind; of several with one path and kind, the first stays. */
export const sortReasons = (reasons: readonly Reason[]): readonly Reason[] => {
  const first = new Map<string, Reason>();
  for (const reason of reasons) {
    const key = `${reason.path} ${reason.kind}`;
    if (!first.has(key)) first.set(key, reason);
  }
  return [...first.values()].sort((a, b) => compare(a.path, b.path) || compare(a.kind, b.kind));
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
