import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../objects/index.ts';
import { createIndexedStore } from './indexed-store.ts';
import { createOwnWritesView } from './own-writes.ts';

/** Everything that ever happened to one key, in order: what it was from each resourceVersion on. */
type History = { readonly at: number; readonly object: KubeObject | undefined }[];

const keys = ['a', 'b', 'c'] as const;
type Key = (typeof keys)[number];

type Step =
  | { readonly do: 'foreign' | 'own'; readonly verb: 'write' | 'delete'; readonly key: Key }
  /** The answer of the own write that has waited longest, or of another one. */
  | { readonly do: 'answer'; readonly pick: number }
  | { readonly do: 'events'; readonly count: number }
  | { readonly do: 'bookmark' | 'ask for a list' | 'the server reads the list' | 'the list arrives' };

const anyKey = fc.constantFrom(...keys);
const verb = fc.constantFrom('write' as const, 'write' as const, 'delete' as const);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('foreign' as const), verb, key: anyKey }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('own' as const), verb, key: anyKey }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(5) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('events' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({
    do: fc.constantFrom(
      'bookmark' as const,
      'ask for a list' as const,
      'the server reads the list' as const,
      'the list arrives' as const,
    ),
  }),
);

/** A server with a history, a watch that lags behind it, answers under way, and the view under test. */
const createWorld = () => {
  const history: Record<Key, History> = {
    a: [{ at: 0, object: undefined }],
    b: [{ at: 0, object: undefined }],
    c: [{ at: 0, object: undefined }],
  };
  const log: {
    readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
    readonly key: Key;
    readonly object: KubeObject;
    readonly at: number;
  }[] = [];
  // What each key may not be older than, given all that the view was told.
  const bound: Record<Key, number> = { a: 0, b: 0, c: 0 };
  const answers: (() => void)[] = [];
  let version = 0;
  let watchedTo = 0;
  let list:
    | { readonly mark: number; snapshot?: { readonly at: number; readonly items: readonly KubeObject[] } }
    | undefined;

  const store = createIndexedStore<KubeObject>();
  const view = createOwnWritesView<KubeObject>({ store, emit: () => undefined });

  const current = (key: Key): KubeObject | undefined => history[key].at(-1)?.object;
  const raise = (key: Key, at: number): void => {
    bound[key] = Math.max(bound[key], at);
  };

  const commit = (
    key: Key,
    what: 'write' | 'delete',
  ): { readonly at: number; readonly object: KubeObject } | undefined => {
    const before = current(key);
    if (what === 'delete' && before === undefined) return undefined;
    const at = ++version;
    const uid = before?.metadata.uid ?? `${key}-${at}`;
    const object: KubeObject = { metadata: { name: key, uid, resourceVersion: String(at) } };
    const type = what === 'delete' ? 'DELETED' : before === undefined ? 'ADDED' : 'MODIFIED';
    history[key].push({ at, object: what === 'delete' ? undefined : object });
    log.push({ type, key, object, at });
    return { at, object };
  };

  const act = (step: Step): void => {
    switch (step.do) {
      case 'foreign':
        commit(step.key, step.verb);
        return;
      case 'own': {
        // Nobody deletes an object of which the view shows a predecessor: the delete is decided on what is shown.
        const shown = store.get(step.key)?.metadata.uid;
        if (step.verb === 'delete' && shown !== undefined && shown !== current(step.key)?.metadata.uid) return;
        const done = commit(step.key, step.verb);
        if (done === undefined) return;
        const { at, object } = done;
        answers.push(() => {
          if (step.verb === 'write') view.written(object);
          else view.deleted(step.key, object.metadata.uid ?? '');
          raise(step.key, at);
        });
        return;
      }
      case 'answer':
        answers.splice(step.pick % Math.max(answers.length, 1), 1)[0]?.();
        return;
      case 'events':
        if (list !== undefined) return; // a reflector lists or watches
        for (const event of log.filter(({ at }) => at > watchedTo).slice(0, step.count)) {
          view.apply(event.type, event.object);
          watchedTo = event.at;
          for (const key of keys) raise(key, event.at);
        }
        return;
      case 'bookmark':
        if (list !== undefined || log.some(({ at }) => at > watchedTo)) return;
        view.progress(String(version));
        return;
      case 'ask for a list':
        list ??= { mark: view.listBegan() };
        return;
      case 'the server reads the list':
        if (list === undefined) return;
        list.snapshot ??= { at: version, items: keys.map(current).filter((object) => object !== undefined) };
        return;
      case 'the list arrives':
        if (list?.snapshot === undefined) return;
        view.replace(list.snapshot.items, String(list.snapshot.at), list.mark);
        watchedTo = list.snapshot.at;
        for (const key of keys) raise(key, list.snapshot.at);
        list = undefined;
        return;
    }
  };

  /** Every key is shown as it was at some moment that is not before anything the view was told about it. */
  const check = (): void => {
    for (const key of keys) {
      const shown = store.get(key)?.metadata.resourceVersion;
      const possible = history[key]
        .filter(({ at }, i, all) => (all[i + 1]?.at ?? Number.POSITIVE_INFINITY) > bound[key] || at >= bound[key])
        .map(({ object }) => object?.metadata.resourceVersion);
      expect(possible, `${key} must not be older than ${bound[key]}`).toContain(shown);
    }
  };

  const relist = (): void => {
    for (const step of ['ask for a list', 'the server reads the list', 'the list arrives'] as const) act({ do: step });
  };

  return {
    act,
    check,
    relist,
    finishList: (): void => {
      act({ do: 'the server reads the list' });
      act({ do: 'the list arrives' });
    },
    drain: (): void => {
      for (const answer of answers.splice(0)) answer();
      act({ do: 'events', count: Number.POSITIVE_INFINITY });
      act({ do: 'bookmark' });
    },
    shown: () => keys.map((key) => store.get(key)?.metadata.resourceVersion),
    stored: () => keys.map((key) => current(key)?.metadata.resourceVersion),
    pending: () => view.pending(),
  };
};

describe('a view of a server under any order of writes, answers, events and lists', () => {
  it('is never older than what it was told, and ends equal to the server', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
        const world = createWorld();
        world.relist();
        for (const step of steps) {
          world.act(step);
          world.check();
        }
        world.finishList();
        world.drain();
        world.check();
        expect(world.shown()).toEqual(world.stored());
        world.relist();
        expect([world.shown(), world.pending()]).toEqual([world.stored(), 0]);
      }),
      { numRuns: 2000 },
    );
  });
});
