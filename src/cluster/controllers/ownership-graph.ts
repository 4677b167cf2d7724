import type { Resource } from '../../kube/index.ts';
import { isTerminating, type KubeObject, type OwnerReference, uidOf } from '../../objects/index.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** An object of the graph: metadata is all that counts. */
export interface GraphNode {
  readonly object: KubeObject;
  readonly resource: Resource<KubeObject>;
}

/** Who owns whom, by UID. */
export interface OwnershipGraph {
  get(uid: string): GraphNode | undefined;
  put(node: GraphNode): void;
  remove(uid: string): void;
  /** Objects that name this UID as an owner. */
  dependentsOf(uid: string): readonly GraphNode[];
}

export const createOwnershipGraph = (): OwnershipGraph => {
  const nodes = new Map<string, GraphNode>();
  /** No set is empty. */
  const dependents = new Map<string, Set<string>>();

  const unlink = (uid: string): void => {
    for (const owner of ownersOf(nodes.get(uid))) {
      const siblings = dependents.get(owner.uid);
      siblings?.delete(uid);
      if (siblings?.size === 0) dependents.delete(owner.uid);
    }
  };

  return {
    get: (uid) => nodes.get(uid),
    put: (node) => {
      const uid = uidOf(node.object);
      unlink(uid);
      nodes.set(uid, node);
      for (const owner of ownersOf(node)) {
        const siblings = dependents.get(owner.uid) ?? new Set();
        dependents.set(owner.uid, siblings.add(uid));
      }
    },
    remove: (uid) => {
      unlink(uid);
      nodes.delete(uid);
    },
    dependentsOf: (uid) => [...(dependents.get(uid) ?? [])].flatMap((dependent) => nodes.get(dependent) ?? []),
  };
};

export const ownersOf = (node: GraphNode | undefined): readonly OwnerReference[] =>
  node?.object.metadata.ownerReferences ?? [];

/** It waits, marked, until the dependents that block it are gone. */
export const deletesInForeground = ({ object }: GraphNode): boolean =>
  isTerminating(object) && object.metadata.finalizers?.includes(foregroundFinalizer) === true;

/** It waits, marked, until its dependents no longer name it. */
export const orphansDependents = ({ object }: GraphNode): boolean =>
  isTerminating(object) && object.metadata.finalizers?.includes(orphanFinalizer) === true;

export const blocks = (dependent: GraphNode, ownerUid: string): boolean =>
  ownersOf(dependent).some((owner) => owner.uid === ownerUid && owner.blockOwnerDeletion === true);
