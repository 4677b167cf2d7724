import { type KubeObject, keyOf, refOf, resourceVersionOf } from '../objects/index.ts';
import { type Cancel, fraction } from '../platform/index.ts';
import type { WatchEvent } from './client-types.ts';
import { ApiError, toApiError } from './errors.ts';
import type { Attempt, ReflectorOptions } from './reflector.ts';
import type { Outcome } from './reflector-state.ts';

/** The server ends a watch after 300 to 600 s; spread, so that the watches of many clients do not end together. */
const timeoutSeconds = (spread: number): number => 300 + Math.floor(spread * 301);

/** How much later than agreed the end may come before the connection counts as dead, milliseconds. */
const endGraceMs = 15_000;

/**
 * Once a server has sent a bookmark on a stream it sends one about every 60 s. A silence of two and a half of these
 * means that nobody is there (a NAT or a load balancer dropped the connection without a word). Bookmarks are not
 * promised, so this only ever costs one more connection: the watch goes on where it was.
 */
const longestSilenceMs = 150_000;

const endOfList = 'k8s.io/initial-events-end';

interface Follow {
  /** Absent: list first. */
  readonly from?: string | undefined;
  /** The list is in; what follows are changes. */
  readonly onListed?: ((resourceVersion: string) => void) | undefined;
}

/**
 * Watches from a resourceVersion, or, without one, first reads everything as events (WatchList) and then follows on the
 * same stream. The list is kept aside until its end mark and reaches the target as a whole.
 */
export const followStream = <T extends KubeObject>(options: ReflectorOptions<T>, follow: Follow): Attempt => {
  const { from } = follow;
  const { client, resource, selection, target, platform } = options;
  const { clock, timers } = platform;
  const seconds = timeoutSeconds(fraction(platform.random));
  const began = clock.monotonic();
  const mark = from === undefined ? target.listBegan() : undefined;
  const listed = new Map<string, T>();
  let abort: Cancel = () => undefined;
  let disarmSilence: Cancel = () => undefined;
  let resourceVersion = from;
  let events = 0;
  let heardAt = began;
  let sawBookmark = false;
  let finish: (outcome: Outcome) => void = () => undefined;

  const cancel = (): void => {
    disarmDeadline();
    disarmSilence();
    abort();
  };

  const end = (error?: Error): void => {
    cancel();
    const livedMs = clock.monotonic() - began;
    finish({ kind: 'ended', resourceVersion, error: error && toApiError(error), livedMs, events });
  };

  const bookmark = (object: T): void => {
    const at = resourceVersionOf(object);
    if (resourceVersion !== undefined) {
      sawBookmark = true;
      target.progress(at);
    } else if (mark !== undefined && object.metadata.annotations?.[endOfList] === 'true') {
      target.replace([...listed.values()], at, mark);
      listed.clear();
      follow.onListed?.(at);
    } else return;
    resourceVersion = at;
  };

  const take = (event: WatchEvent<T>): void => {
    if (event.type === 'ERROR') return; // onEnd follows, with the same error
    if (event.type === 'BOOKMARK') {
      bookmark(event.object);
      return;
    }
    events++;
    if (resourceVersion !== undefined) {
      target.apply(event.type, event.object);
      resourceVersion = resourceVersionOf(event.object);
      return;
    }
    const key = keyOf(refOf(event.object));
    if (event.type === 'DELETED') listed.delete(key);
    else listed.set(key, event.object);
  };

  const listenForSilence = (afterMs: number): void => {
    const check = (): void => {
      const leftMs = heardAt + longestSilenceMs - clock.monotonic();
      if (sawBookmark && leftMs <= 0) end();
      else listenForSilence(leftMs > 0 ? leftMs : longestSilenceMs);
    };
    disarmSilence = timers.after(afterMs, check, { background: true });
  };

  const outcome = new Promise<Outcome>((resolve) => {
    finish = resolve;
  });
  const disarmDeadline = timers.after(seconds * 1000 + endGraceMs, () => end(), { background: true });
  listenForSilence(longestSilenceMs);
  const initial = from === undefined ? { sendInitialEvents: true } : { resourceVersion: from };
  abort = client.watch<T>(
    resource,
    { ...selection, ...initial, allowWatchBookmarks: true, timeoutSeconds: seconds },
    {
      onEvent: (event) => {
        heardAt = clock.monotonic();
        try {
          take(event);
        } catch (cause) {
          // What was told cannot be used, so it cannot be trusted either: back to a list.
          end(new ApiError({ code: 'malformed', message: `an event of ${resource.plural} cannot be used`, cause }));
        }
      },
      onEnd: end,
    },
  );
  return { outcome, cancel };
};
