import { isTerminating, type OwnerReference, uidOf } from '../../objects/index.ts';
import {
  blocks,
  deletesInForeground,
  type GraphNode,
  type OwnershipGraph,
  orphanFinalizer,
  orphansDependents,
  ownersOf,
} from './ownership-graph.ts';

/** What is to be done about one object now. */
export type Verdict =
  | { readonly do: 'nothing' }
  /** Its owner references to these UIDs are taken out: the owners are gone or going, and another one stays. */
  | { readonly do: 'release'; readonly from: readonly string[] }
  | { readonly do: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan' }
  /** It goes once nothing blocks it; until then its dependents are looked at. */
  | { readonly do: 'wait-for'; readonly dependents: readonly GraphNode[] }
  | { readonly do: 'orphan'; readonly dependents: readonly GraphNode[] }
  | { readonly do: 'unblock'; readonly finalizer: string };

/**
 * The rules of the garbage collector of kube-controller-manager (`attemptToDeleteItem`).
 *
 * @param absent  whether an owner exists nowhere; asked only for owners that the graph does not know
 *
 * Owners are found by UID alone: one of the same name that was created anew is another owner. An object lives while
 * one of its owners does.
 */
export const judge = (node: GraphNode, graph: OwnershipGraph, absent: (owner: OwnerReference) => boolean): Verdict => {
  const uid = uidOf(node.object);
  const dependents = graph.dependentsOf(uid);
  if (orphansDependents(node)) {
    return dependents.length > 0 ? { do: 'orphan', dependents } : { do: 'unblock', finalizer: orphanFinalizer };
  }
  if (deletesInForeground(node)) {
    const blocking = dependents.filter((dependent) => blocks(dependent, uid));
    return blocking.length > 0 ? { do: 'wait-for', dependents } : { do: 'unblock', finalizer: 'foregroundDeletion' };
  }
  if (isTerminating(node.object)) return { do: 'nothing' };
  return judgeByOwners(node, graph, absent);
};

const judgeByOwners = (node: GraphNode, graph: OwnershipGraph, absent: (owner: OwnerReference) => boolean): Verdict => {
  const owners = ownersOf(node);
  if (owners.length === 0) return { do: 'nothing' };
  const gone = owners.filter((owner) => graph.get(owner.uid) === undefined && absent(owner));
  const waiting = owners.filter((owner) => {
    const known = graph.get(owner.uid);
    return known !== undefined && deletesInForeground(known) && owner.blockOwnerDeletion === true;
  });
  const leaving = [...gone, ...waiting];
  if (leaving.length < owners.length) {
    return leaving.length === 0 ? { do: 'nothing' } : { do: 'release', from: leaving.map((owner) => owner.uid) };
  }
  const { finalizers = [] } = node.object.metadata;
  const hasDependents = graph.dependentsOf(uidOf(node.object)).length > 0;
  if (waiting.length > 0 && hasDependents) return { do: 'delete', policy: 'Foreground' };
  if (finalizers.includes(orphanFinalizer)) return { do: 'delete', policy: 'Orphan' };
  return { do: 'delete', policy: finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background' };
};
