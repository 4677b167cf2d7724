// The embedded API server beside a real one: the same requests, sent to both now.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelServingCrd } from '../../src/api/index.ts';
import { createApiServer, isStream, requestOf, textOf } from '../../src/cluster/server/index.ts';
import { kubectlExtensions } from '../../src/cluster/server/kubectl/extensions.ts';
import { createVirtualPlatform } from '../../src/simulation/index.ts';
import { differences, normalised } from '../conformance/compare.ts';
import { type Api, type ApiRequest, crds, openApi } from './api.ts';
import { missing, onRealNode, theBed } from './bed.ts';
import { installCrd } from './install-crd.ts';
import { type Request, requests } from './requests.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Without what must differ: who manages which field (the embedded server does not say) and when it was. */
const comparable = (answers: readonly Answer[]): readonly unknown[] => {
  const text = JSON.stringify(answers, (key, value: unknown) => (key === 'managedFields' ? undefined : value));
  const plain = text.replace(timestamp, '<time>').replace(/in record \(\d+\)/g, 'in record (<version>)');
  return normalised(JSON.parse(plain) as readonly unknown[]);
};

const askEmbedded = (): readonly Answer[] => {
  const platform = createVirtualPlatform();
  const server = createApiServer({ platform, extensions: kubectlExtensions(platform.clock) });
  const ask = ({ method, path, body, contentType = 'application/json' }: ApiRequest): Answer => {
    const headers = { 'content-type': contentType };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const outcome = server.handle(requestOf({ method, path, headers, body: text, purpose: 'request' }, 'admin'));
    if (isStream(outcome)) throw new Error(`${path} answers a stream`);
    return { status: outcome.status, body: JSON.parse(textOf(outcome.body)) };
  };
  ask({ method: 'POST', path: crds, body: modelServingCrd });
  return requests.map(ask);
};

describe.skipIf(missing !== undefined)(onRealNode('the embedded API server and a real one'), () => {
  let api: Api;
  let found: readonly (readonly string[])[];
  beforeAll(async () => {
    const bed = theBed();
    api = openApi(bed);
    await installCrd(bed);
    const real: Answer[] = [];
    for (const request of requests) real.push(await api.send(request));
    const [expected, actual] = [comparable(real), comparable(askEmbedded())];
    found = expected.map((answer, index) => differences(answer, actual[index]));
  });
  afterAll(() => api.close());

  it.each(requests.map(({ note }, index) => [note, index] as const))('agree on: %s', (_, index) => {
    expect(found[index]).toEqual([]);
  });

  it('were asked things worth asking', () => {
    expect(new Set(requests.map(({ note }: Request) => note)).size).toBe(requests.length);
  });
});
