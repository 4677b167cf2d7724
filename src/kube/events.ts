import { type Event, type KubeObject, nameOf, uidOf } from '../objects/index.ts';
import type { Platform } from '../platform/index.ts';
import type { KubeClient } from './client-types.ts';
import { isApiError } from './errors.ts';
import { type Log, silentLog } from './log.ts';
import { resources } from './resources.ts';

/** What is said about an object. */
export interface EventReport {
  /** The name of the Event itself. Made from what happened, not drawn: sent twice, it exists once. */
  readonly name: string;
  /** As stored, with its apiVersion and kind. */
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly log?: Log | undefined;
  /** Shown as the source of the event, for example `deployment-controller`. */
  readonly component: string;
  /** Which process of the component. Default: the component. */
  readonly instance?: string | undefined;
  /** How long `record` waits for the server at most, milliseconds; the write itself goes on. Default 2,000. */
  readonly patienceMs?: number | undefined;
}

export interface EventRecorder {
  /**
   * Writes a core/v1 Event in the namespace of the object. Resolves to whether the server is known to have it; never
   * rejects, and never takes longer than the patience, so that work may wait for it.
   */
  record(report: EventReport): Promise<boolean>;
  /** Counters since the start. An event that existed already counts as sent. */
  stats(): { readonly sent: number; readonly failed: number };
}

export const createEventRecorder = (options: EventRecorderOptions): EventRecorder => {
  const { client, platform } = options;
  const log = options.log ?? silentLog;
  const patienceMs = options.patienceMs ?? 2000;
  let sent = 0;
  let failed = 0;

  const write = async (report: EventReport): Promise<boolean> => {
    try {
      await client.create(resources.events, eventOf(report, options));
    } catch (err) {
      if (!isApiError(err, 'already-exists')) {
        failed++;
        log.warn({ err, reason: report.reason, event: report.name }, `the event ${report.reason} was not written`);
        return false;
      }
    }
    sent++;
    return true;
  };

  return {
    record: (report) =>
      new Promise((resolve) => {
        const disarm = platform.timers.after(patienceMs, () => resolve(false), { background: true });
        void write(report).then((isSent) => {
          disarm();
          resolve(isSent);
        });
      }),
    stats: () => ({ sent, failed }),
  };
};

const eventOf = (report: EventReport, options: EventRecorderOptions): Event => {
  const { about, name, type, reason, message } = report;
  // Events use whole seconds (meta/v1 Time).
  const now = `${new Date(options.platform.clock.wall()).toISOString().slice(0, 19)}Z`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    // Events about objects of the cluster live in `default`, as client-go puts them.
    metadata: { name, namespace: about.metadata.namespace ?? 'default' },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      namespace: about.metadata.namespace,
      name: nameOf(about),
      uid: uidOf(about),
      resourceVersion: about.metadata.resourceVersion,
    },
    type,
    reason,
    message,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component: options.component },
    reportingComponent: options.component,
    reportingInstance: options.instance ?? options.component,
  };
};
