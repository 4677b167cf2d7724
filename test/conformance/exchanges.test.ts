import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../../src/cluster/server/index.ts';
import { kubectlExtensions } from '../../src/cluster/server/kubectl/extensions.ts';
import { createVirtualPlatform } from '../../src/simulation/index.ts';
import { differences, normalised } from './compare.ts';
import { prepare } from './prepare.ts';
import { readExchanges, replay } from './replay.ts';

interface KnownDifference {
  readonly exchange: string;
  readonly paths: readonly string[];
  readonly reason: string;
}

const known: readonly KnownDifference[] = JSON.parse(
  readFileSync(new URL('known-differences.json', import.meta.url), 'utf8'),
);

const exchanges = readExchanges();

const run = async (): Promise<readonly (readonly string[])[]> => {
  const platform = createVirtualPlatform({ startMs: Date.parse('2026-12-01T05:20:21Z') });
  const server = createApiServer({ platform, extensions: kubectlExtensions(platform.clock) });
  await prepare(server, platform);
  const answers = await replay(server, platform, exchanges);
  const expected = normalised(exchanges.map((exchange) => exchange.response));
  const actual = normalised(answers);
  return expected.map((answer, index) => differences(answer, actual[index]));
};

const found = await run();

describe('the embedded API server answers as a real one did', () => {
  it.each(exchanges.map((exchange, index) => [exchange.note, index] as const))('%s', (note, index) => {
    const listed = known.filter((difference) => difference.exchange === note).flatMap(({ paths }) => paths);
    const differing = found[index] ?? [];
    const paths = differing.map((text) => text.slice(0, text.indexOf(': recorded')));
    expect(differing.filter((_, at) => !listed.includes(paths[at] ?? ''))).toEqual([]);
    expect(
      listed.filter((path) => !paths.includes(path)),
      'listed, but no longer different',
    ).toEqual([]);
  });
});

describe('the list of known differences', () => {
  it('is short, names recorded exchanges, and spares Pods, ModelServings and watches', () => {
    expect(known.length).toBeLessThanOrEqual(15);
    for (const { exchange } of known) {
      const path = exchanges.find((one) => one.note === exchange)?.request.path;
      expect(path, exchange).toBeDefined();
      expect(path).not.toMatch(/\/pods|modelservings|watch=true/);
    }
  });

  it('is told in docs/embedded-cluster.md, each with its reason', () => {
    const page = readFileSync(new URL('../../docs/embedded-cluster.md', import.meta.url), 'utf8');
    for (const { exchange, reason } of known) {
      expect(page).toContain(exchange);
      expect(page).toContain(reason);
    }
  });
});
