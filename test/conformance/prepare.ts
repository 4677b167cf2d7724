import { modelServingCrd } from '../../src/api/index.ts';
import type { ApiServer } from '../../src/cluster/server/index.ts';
import { requestOf } from '../../src/cluster/server/index.ts';
import { applyJsonPatch, type ConfigMap } from '../../src/objects/index.ts';
import type { VirtualPlatform } from '../../src/simulation/index.ts';
import { readExchanges } from './replay.ts';

/** What the recorded server held before the first exchange: a namespace, our CRD, and what controllers had written. */
export const prepare = async (server: ApiServer, platform: VirtualPlatform): Promise<void> => {
  const post = (path: string, body: unknown): void => {
    const outcome = server.handle(
      requestOf({ method: 'POST', path, headers: {}, body: JSON.stringify(body), purpose: 'request' }, 'recorder'),
    );
    if (outcome.status !== 201) throw new Error(`${path} answers ${JSON.stringify(outcome)}`);
  };
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', recordedCrd());
  post('/api/v1/namespaces', { metadata: { name: 'rec' } });
  post('/api/v1/namespaces/rec/configmaps', rootCertificate());
  await platform.advance(1000);
};

/** Ours, without the one default that the CRD of the recording did not have yet. */
const recordedCrd = (): unknown =>
  applyJsonPatch(modelServingCrd, [
    {
      op: 'remove',
      path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/revisionHistoryLimit/default',
    },
  ]);

/** Published into every namespace by a controller; the first event of a recorded watch shows it. */
const rootCertificate = (): unknown => {
  const watch = readExchanges().find((exchange) => exchange.note === 'watch from version 1: too old');
  const [first] = (watch?.response.body ?? []) as readonly { readonly object: ConfigMap }[];
  if (first === undefined) throw new Error('the recorded watch is empty');
  const { metadata, data } = first.object;
  return { metadata: { name: metadata.name, annotations: metadata.annotations }, data };
};
