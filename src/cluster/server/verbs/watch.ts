import { fraction } from '../../../platform/index.ts';
import type { ServerRequest, StoredObject } from '../../server-types.ts';
import { renderingFor } from '../answer.ts';
import type { Core } from '../core.ts';
import { apiVersionOf, served } from '../kinds/kind.ts';
import type { ServerStream, StreamSink } from '../seam.ts';
import type { ObjectMatcher } from '../selectors/field-selector.ts';
import { expired, versionTooLarge } from '../status-error.ts';
import type { Change } from '../storage/change.ts';
import type { Target } from '../target.ts';
import { encode } from './encode.ts';
import { checkListOptions, matcherOf } from './list-options.ts';
import { parseRevision } from './revision.ts';
import { isTrue, wholeNumber } from './write-options.ts';

/** One line of a watch. */
export interface WatchLine {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

/** GET of a collection with `watch`: what is there (where asked for), then every change until the watch ends. */
export const watch = (core: Core, target: Target, request: ServerRequest): ServerStream => {
  checkListOptions(request);
  const matches = matcherOf(target, request);
  const asked = parseRevision(request);
  const wants = (request.query.get('sendInitialEvents') ?? '') !== '';
  const initial = wants ? isTrue(request, 'sendInitialEvents') : asked === undefined || asked === 0;
  if (wants && asked !== undefined && asked > core.store.revision()) {
    throw versionTooLarge(asked, core.store.revision());
  }
  const bookmarks = isTrue(request, 'allowWatchBookmarks');
  const rendering = renderingFor(core, request, target.kind);
  return {
    status: 200,
    contentType: rendering?.contentType ?? 'application/json',
    open: (sink) => {
      let first = true;
      const write = (line: WatchLine): void => {
        const { type } = line;
        const object = rendering === undefined || type === 'ERROR' ? line.object : rendering.event(line.object, first);
        first = false;
        sink.write(`{"type":"${type}","object":${encode(object)}}\n`);
      };
      return run(
        core,
        { target, request, matches, from: asked, initial, closing: wants && initial, bookmarks },
        write,
        sink,
      );
    },
  };
};

interface Plan {
  readonly target: Target;
  readonly request: ServerRequest;
  readonly matches: ObjectMatcher;
  readonly from: number | undefined;
  readonly initial: boolean;
  /** Whether a bookmark closes the initial events. */
  readonly closing: boolean;
  readonly bookmarks: boolean;
}

const run = (core: Core, plan: Plan, write: (line: WatchLine) => void, sink: StreamSink): (() => void) => {
  const { kind } = plan.target;
  const { store, platform } = core;
  const bookmark = (annotations?: Readonly<Record<string, string>>): void =>
    write({
      type: 'BOOKMARK',
      object: {
        kind: kind.kind,
        apiVersion: apiVersionOf(kind),
        metadata: { resourceVersion: String(store.revision()), ...(annotations && { annotations }) },
      },
    });
  const tell = (change: Change): void => {
    const line = lineOf(change, plan.matches);
    if (line !== undefined) write({ type: line.type, object: served(kind, line.object) });
  };

  if (plan.initial) {
    for (const object of store.list(kind.storage).filter(plan.matches)) {
      write({ type: 'ADDED', object: served(kind, object) });
    }
    if (plan.closing && plan.bookmarks) bookmark({ 'k8s.io/initial-events-end': 'true' });
  } else {
    const from = plan.from === undefined || plan.from === 0 ? store.revision() : plan.from;
    const backlog = store.changesSince(kind.storage, from);
    if (backlog === undefined) {
      write({ type: 'ERROR', object: expired(`too old resource version: ${from} (${store.revision()})`).status });
      sink.end();
      return () => undefined;
    }
    backlog.forEach(tell);
  }

  // Nothing is committed between the backlog and this line, so no change is missed or told twice.
  const future = plan.from ?? 0;
  const cancels = [store.subscribe(kind.storage, (change) => change.revision > future && tell(change))];
  const stop = (): void => {
    for (const cancel of cancels.splice(0)) cancel();
  };
  const lifeMs = lifetime(core, plan.request);
  cancels.push(
    platform.timers.after(
      lifeMs,
      () => {
        stop();
        sink.end();
      },
      { background: true },
    ),
  );
  if (plan.bookmarks) cancels.push(everyMinute(core, lifeMs, bookmark));
  return stop;
};

/** What one watcher sees of a change: objects enter and leave what it selects. */
export const lineOf = (
  { type, object, previous }: Change,
  matches: ObjectMatcher,
): { readonly type: Change['type']; readonly object: StoredObject } | undefined => {
  const before = previous !== undefined && matches(previous);
  const after = type !== 'DELETED' && matches(object);
  if (before && after) return { type: 'MODIFIED', object };
  if (after) return { type: 'ADDED', object };
  if (!before) return undefined;
  // The last state this watcher could see, at the version at which it went out of sight.
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, resourceVersion } } };
};

const lifetime = (core: Core, request: ServerRequest): number => {
  const seconds = wholeNumber(request, 'timeoutSeconds');
  if (seconds !== undefined && seconds > 0) return seconds * 1000;
  return core.watchTimes.minimumMs * (1 + fraction(core.platform.random));
};

/** One bookmark a minute, and one two seconds before the end (cacher.go: bookmarkFrequency, and the deadline). */
const everyMinute = (core: Core, lifeMs: number, bookmark: () => void): (() => void) => {
  const { timers } = core.platform;
  let elapsedMs = 0;
  let cancel: () => void = () => undefined;
  const next = (): void => {
    const lastMs = Math.max(lifeMs - 2000, 0);
    if (elapsedMs >= lastMs) return;
    const delayMs = Math.min(core.watchTimes.bookmarkMs, lastMs - elapsedMs);
    cancel = timers.after(
      delayMs,
      () => {
        elapsedMs += delayMs;
        bookmark();
        next();
      },
      { background: true },
    );
  };
  next();
  return () => cancel();
};
