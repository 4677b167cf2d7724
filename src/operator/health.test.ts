import { describe, expect, it } from 'vitest';
import { answerProbe } from './health.ts';
import { createMetrics } from './metrics.ts';

describe('probes', () => {
  const metrics = createMetrics({
    queueDepth: () => 3,
    waits: () => new Map([['InPlaceUpdateStalled', 2]]),
    silence: () => new Map([['pods', 61_000]]),
  });
  const sources = { alive: () => true, ready: () => false, metrics };

  it('tells alive from ready', async () => {
    expect(await answerProbe(sources, '/healthz')).toMatchObject({ status: 200 });
    expect(await answerProbe(sources, '/readyz?verbose')).toMatchObject({ status: 503 });
    expect(await answerProbe(sources, '/')).toMatchObject({ status: 404 });
  });

  it('shows counters and what is true at the moment of the scrape', async () => {
    metrics.decided('decided', 0.0007);
    metrics.effect({ kind: 'read', key: 'k', resource: 'pods', ref: { name: 'p' }, uid: 'u', why: 'w' }, 'done');
    const { body } = await answerProbe(sources, '/metrics');
    for (const line of [
      'modelserving_decisions_total{outcome="decided"} 1',
      'modelserving_decisions_total{outcome="threw"} 0',
      'modelserving_effects_total{verb="read",resource="pods",outcome="done"} 1',
      'modelserving_queue_depth 3',
      'modelserving_waits{reason="InPlaceUpdateStalled"} 2',
      'modelserving_watch_silence_seconds{resource="pods"} 61',
    ]) {
      expect(body).toContain(`${line}\n`);
    }
  });
});
