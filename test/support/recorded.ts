import { readFileSync } from 'node:fs';
import type { ModelServing } from '../../src/api/index.ts';
import type { ControllerRevision, KubeObject, Pod, Service } from '../../src/objects/index.ts';

/** What kthena's controller left on a real API server, one file of test/fixtures/kthena. */
export interface Recorded {
  readonly modelServing: ModelServing;
  readonly revisions: readonly ControllerRevision[];
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
}

export type RecordedState =
  | 'fresh'
  | 'gang'
  | 'lws'
  | 'partitioned'
  | 'role-updated'
  | 'sparse-ordinals'
  | 'stuck-mid-rollout';

export const recordedByKthena = (file: RecordedState): Recorded => {
  const text = readFileSync(new URL(`../fixtures/kthena/${file}.json`, import.meta.url), 'utf8');
  const { objects } = JSON.parse(text) as { readonly objects: readonly KubeObject[] };
  const ofKind = <T extends KubeObject>(kind: string): readonly T[] =>
    objects.filter((object) => object.kind === kind) as unknown as readonly T[];
  const [modelServing] = ofKind<ModelServing>('ModelServing');
  if (modelServing === undefined) throw new Error(`${file}.json holds no ModelServing`);
  return { modelServing, revisions: ofKind('ControllerRevision'), pods: ofKind('Pod'), services: ofKind('Service') };
};
