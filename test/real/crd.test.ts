import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bed } from '../../tools/control-plane/bed.ts';
import { kubectl } from '../../tools/control-plane/plane.ts';
import { type Api, crds, type KubeObject, modelServings, openApi } from './api.ts';
import { missing, onRealNode, theBed } from './bed.ts';
import { crdFile, installCrd } from './install-crd.ts';

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Crd extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
}

describe.skipIf(missing !== undefined)(onRealNode('the CustomResourceDefinition on a real API server'), () => {
  let bed: Bed;
  let api: Api;
  beforeAll(async () => {
    bed = theBed();
    api = openApi(bed);
    await installCrd(bed);
  });
  afterAll(() => api.close());

  const condition = async (type: string): Promise<string | undefined> =>
    (await api.get<Crd>(`${crds}/modelservings.workload.serving.volcano.sh`)).status?.conditions?.find(
      (entry) => entry.type === type,
    )?.status;

  it('is established after a plain `kubectl apply`, a second time too', async () => {
    expect(await condition('Established')).toBe('True');
    expect(await kubectl(bed, ['apply', '-f', crdFile])).toMatch(/unchanged/);
  });

  it('is structural: the API server prunes and defaults by it', async () => {
    expect(await condition('NonStructuralSchema')).toBeUndefined();
    expect(await condition('KubernetesAPIApprovalPolicyConformant')).not.toBe('False');
  });

  for (const example of ['pd-disaggregation', 'multi-node', 'role-by-role']) {
    it(`takes examples/${example}.yaml by kubectl apply and does not lose a field of it`, async () => {
      const file = inProject(`examples/${example}.yaml`);
      const applied = JSON.parse(
        await kubectl(bed, ['apply', '--validate=strict', '-f', file, '-o', 'json']),
      ) as KubeObject;
      expect(await kubectl(bed, ['diff', '-f', file])).toBe('');
      await api.remove(`${modelServings}/${applied.metadata.name}`);
    });
  }
});
