import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Effect } from '../rollout/index.ts';
import type { Outcome } from './perform-effect.ts';

/** What the operator counts; the text is for Prometheus to scrape. */
export interface OperatorMetrics {
  decided(outcome: 'decided' | 'threw', seconds: number): void;
  effect(effect: Effect, result: Outcome['result'] | 'held-back'): void;
  status(result: Outcome['result']): void;
  event(result: 'sent' | 'failed'): void;
  readonly contentType: string;
  text(): Promise<string>;
}

/** What is read at the time of a scrape. */
export interface Gauges {
  readonly queueDepth: () => number;
  /** How many waits of each reason the latest decisions named. */
  readonly waits: () => ReadonlyMap<string, number>;
  /** By resource: milliseconds since its watch last heard anything. */
  readonly silence: () => ReadonlyMap<string, number>;
}

export const createMetrics = (gauges: Gauges): OperatorMetrics => {
  const registry = new Registry();
  const registers = [registry];
  const decisions = new Counter({
    name: 'modelserving_decisions_total',
    help: 'Decisions taken, by outcome; threw is a bug',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'modelserving_decision_duration_seconds',
    help: 'Time one decision took to compute',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5],
    registers,
  });
  const effects = new Counter({
    name: 'modelserving_effects_total',
    help: 'Writes and reads that decisions asked for',
    labelNames: ['verb', 'resource', 'outcome'],
    registers,
  });
  const events = new Counter({
    name: 'modelserving_events_total',
    help: 'Events sent',
    labelNames: ['outcome'],
    registers,
  });
  new Gauge({
    name: 'modelserving_queue_depth',
    help: 'ModelServings waiting for a decision',
    registers,
    collect() {
      this.set(gauges.queueDepth());
    },
  });
  new Gauge({
    name: 'modelserving_waits',
    help: 'Units that wait, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of gauges.waits()) this.set({ reason }, count);
    },
  });
  new Gauge({
    name: 'modelserving_watch_silence_seconds',
    help: 'Time since the watch of a resource last heard anything; a quiet one hears a bookmark about once a minute',
    labelNames: ['resource'],
    registers,
    collect() {
      this.reset();
      for (const [resource, silentMs] of gauges.silence()) this.set({ resource }, silentMs / 1000);
    },
  });
  for (const outcome of ['decided', 'threw']) decisions.inc({ outcome }, 0);
  return {
    decided: (outcome, duration) => {
      decisions.inc({ outcome });
      seconds.observe(duration);
    },
    effect: ({ kind, resource }, result) => effects.inc({ verb: kind, resource, outcome: result }),
    status: (result) => effects.inc({ verb: 'patch', resource: 'modelservings/status', outcome: result }),
    event: (outcome) => events.inc({ outcome }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
};
