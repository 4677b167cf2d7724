import type { ContainerStatus, Pod } from '../../../objects/index.ts';
import type { Cancel, Platform } from '../../../platform/index.ts';
import type { ServerRequest, StoredObject } from '../../server-types.ts';
import type { LogSource } from '../core.ts';
import type { ServerOutcome, StreamSink } from '../seam.ts';
import { badRequest, notImplemented } from '../status-error.ts';

export interface PodLogOptions {
  readonly platform: Platform;
  readonly source: LogSource | undefined;
  /** The Pod as it is now; undefined once it is gone. */
  readonly pod: () => StoredObject | undefined;
  readonly request: ServerRequest;
}

/** How often a followed log is looked at, in milliseconds. */
const lookMs = 200;

/**
 * `GET pods/NAME/log`: the text of one container, to its end or, with `follow`, as it grows. Throws what the API
 * server says to a wrong container (400), and 501 for what the simulated nodes do not know: when a line was written.
 */
export const podLog = (options: PodLogOptions): ServerOutcome => {
  const { source, request } = options;
  if (source === undefined) throw notImplemented('logs without nodes');
  for (const asked of ['sinceSeconds', 'sinceTime', 'timestamps']) {
    if (!['', 'false', null].includes(request.query.get(asked))) throw notImplemented(`${asked} of logs`);
  }
  const stored = options.pod();
  if (stored === undefined) throw badRequest('the pod is gone');
  const pod = podOf(stored);
  const container = containerOf(pod, request.query.get('container') ?? '');
  const previous = request.query.get('previous') === 'true';
  const lines = source.read(stored, container, { previous });
  if (lines === undefined) throw badRequest(missing(pod, container, previous));
  const tail = request.query.get('tailLines');
  const start = tail === null || tail === '' ? 0 : Math.max(0, lines.length - Number(tail));
  return {
    status: 200,
    contentType: 'text/plain',
    open: (sink) =>
      request.query.get('follow') === 'true' && !previous
        ? follow({ ...options, source, uid: pod.metadata.uid, container, start, sink })
        : writeOnce(sink, limited(lines.slice(start), request.query.get('limitBytes'))),
  };
};

const podOf = (stored: StoredObject): Pod => stored as unknown as Pod;

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

const limited = (lines: readonly string[], bytes: string | null): string => {
  const text = textOf(lines);
  return bytes === null || bytes === '' ? text : Buffer.from(text).subarray(0, Number(bytes)).toString();
};

const writeOnce = (sink: StreamSink, text: string): Cancel => {
  if (text !== '') sink.write(text);
  sink.end();
  return () => undefined;
};

const containerOf = (pod: Pod, asked: string): string => {
  const names = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].map(({ name }) => name);
  const podName = pod.metadata.name ?? '';
  if (asked !== '') {
    if (names.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${podName}`);
  }
  const only = pod.spec.containers.length === 1 ? pod.spec.containers[0]?.name : undefined;
  if (only !== undefined) return only;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${pod.spec.containers.map(({ name }) => name).join(' ')}]`,
  );
};

const missing = (pod: Pod, container: string, previous: boolean): string => {
  const podName = pod.metadata.name ?? '';
  if (!pod.spec.nodeName) return `pod ${podName} does not have a host assigned`;
  if (previous) return `previous terminated container "${container}" in pod "${podName}" not found`;
  const reason = statusOf(pod, container)?.state?.waiting?.reason || 'ContainerCreating';
  return `container "${container}" in pod "${podName}" is waiting to start: ${reason}`;
};

const statusOf = (pod: Pod, container: string): ContainerStatus | undefined =>
  [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].find(
    ({ name }) => name === container,
  );

interface Follow extends PodLogOptions {
  readonly source: LogSource;
  readonly uid: string | undefined;
  readonly container: string;
  readonly start: number;
  readonly sink: StreamSink;
}

/** Ends with the container that was running when it began: a restarted one has a log of its own. */
const follow = (options: Follow): Cancel => {
  const { platform, source, container, sink, uid } = options;
  let written = options.start;
  let followed: string | undefined;
  let stop: Cancel = () => undefined;
  const look = (): void => {
    const stored = options.pod();
    const status = stored === undefined || stored.metadata.uid !== uid ? undefined : statusOf(podOf(stored), container);
    followed ??= status?.containerID;
    const same = stored !== undefined && status !== undefined && status.containerID === followed;
    const lines = same ? (source.read(stored, container, { previous: false }) ?? []) : [];
    if (lines.length > written) sink.write(textOf(lines.slice(written)));
    written = Math.max(written, lines.length);
    if (same && status.state?.terminated === undefined) {
      stop = platform.timers.after(lookMs, look, { background: true });
    } else {
      sink.end();
    }
  };
  look();
  return () => stop();
};
