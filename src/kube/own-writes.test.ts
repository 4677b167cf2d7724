import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../objects/index.ts';
import { createIndexedStore } from './indexed-store.ts';
import { createOwnWritesView, type OwnWritesView } from './own-writes.ts';

const aPod = (name: string, resourceVersion: number, uid = `uid-of-${name}`): Pod => ({
  metadata: { namespace: 'ns', name, uid, resourceVersion: String(resourceVersion), labels: { keep: 'yes' } },
  spec: { containers: [] },
});

const leaving = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, labels: {} } });

/** What the cache shows, as `name@resourceVersion`, and what handlers were told. */
const aView = (): {
  readonly view: OwnWritesView<Pod>;
  readonly shown: () => readonly string[];
  readonly told: string[];
} => {
  const store = createIndexedStore<Pod>();
  const told: string[] = [];
  const view = createOwnWritesView<Pod>({
    store,
    emit: ({ type, object }) => told.push(`${type} ${object.metadata.uid}@${object.metadata.resourceVersion}`),
    selects: (pod) => pod.metadata.labels?.['keep'] === 'yes',
  });
  return {
    view,
    told,
    shown: () => store.list().map((pod) => `${pod.metadata.name}@${pod.metadata.resourceVersion}`),
  };
};

describe('a view with own writes on top of a watch', () => {
  let world = aView();
  beforeEach(() => {
    world = aView();
    world.view.replace([aPod('a', 3), aPod('b', 5)], '10', world.view.listBegan());
    world.told.length = 0;
  });

  it('shows an own write before the watch does, and tells it once', () => {
    world.view.written(aPod('a', 12));
    world.view.apply('MODIFIED', aPod('a', 12));
    expect(world.shown()).toEqual(['a@12', 'b@5']);
    expect(world.told).toEqual(['updated uid-of-a@12']);
    expect(world.view.pending()).toBe(0);
  });

  it('is not taken back by an event that is older than an own write', () => {
    world.view.written(aPod('a', 14));
    world.view.apply('MODIFIED', aPod('a', 12));
    expect(world.shown()).toEqual(['a@14', 'b@5']);
    world.view.apply('MODIFIED', aPod('a', 15));
    expect(world.shown()).toEqual(['a@15', 'b@5']);
  });

  it('is not taken back by an answer that comes after a newer event', () => {
    world.view.apply('MODIFIED', aPod('a', 15));
    world.view.written(aPod('a', 12));
    expect(world.shown()).toEqual(['a@15', 'b@5']);
  });

  it('does not bring back an object whose end the watch has shown before the answer of its creation arrived', () => {
    world.view.apply('ADDED', aPod('c', 12));
    world.view.apply('DELETED', aPod('c', 13));
    world.view.written(aPod('c', 12));
    expect(world.shown()).toEqual(['a@3', 'b@5']);
  });

  it('ignores a replay of what it was told before', () => {
    world.view.apply('DELETED', aPod('a', 12));
    world.view.apply('ADDED', aPod('a', 11));
    world.view.apply('MODIFIED', aPod('b', 9));
    expect(world.shown()).toEqual(['b@5']);
  });

  it('hides an object at once when it was deleted, whatever late events say, until its end is shown', () => {
    world.view.deleted('ns/a', 'uid-of-a');
    world.view.apply('MODIFIED', aPod('a', 12));
    expect(world.shown()).toEqual(['b@5']);
    expect(world.view.pending()).toBe(1);
    world.view.apply('DELETED', aPod('a', 13));
    expect(world.view.pending()).toBe(0);
    expect(world.told).toEqual(['deleted uid-of-a@3']);
  });

  it('keeps no tombstone for a delete whose end the watch has shown already', () => {
    world.view.apply('DELETED', aPod('a', 12));
    world.view.deleted('ns/a', 'uid-of-a');
    expect(world.view.pending()).toBe(0);
  });

  it('hides a deleted object that had left the selector and come back before', () => {
    world.view.apply('DELETED', leaving(aPod('a', 12)));
    world.view.apply('ADDED', aPod('a', 13));
    world.view.deleted('ns/a', 'uid-of-a');
    world.view.apply('MODIFIED', aPod('a', 14));
    expect(world.shown()).toEqual(['b@5']);
  });

  it('hides an object that was deleted before the watch first showed it', () => {
    world.view.deleted('ns/c', 'uid-of-c');
    world.view.apply('ADDED', aPod('c', 12));
    expect(world.shown()).toEqual(['a@3', 'b@5']);
    world.view.apply('DELETED', aPod('c', 13));
    expect(world.view.pending()).toBe(0);
  });

  it('shows a terminating object where the deletion is deferred', () => {
    world.view.deleted('ns/a', 'uid-of-a', aPod('a', 12));
    expect(world.shown()).toEqual(['a@12', 'b@5']);
  });

  it('does not confuse a new object with the deleted one of the same name', () => {
    world.view.deleted('ns/a', 'uid-of-a');
    world.view.written(aPod('a', 14, 'second'));
    world.view.apply('MODIFIED', aPod('a', 12));
    world.view.apply('DELETED', aPod('a', 13));
    world.view.apply('ADDED', aPod('a', 14, 'second'));
    expect(world.shown()).toEqual(['b@5', 'a@14']);
    expect(world.told).toEqual(['deleted uid-of-a@3', 'added second@14']);
  });

  it('tells a replacement under one name as two objects, from an event and from a list', () => {
    world.view.apply('MODIFIED', aPod('a', 12, 'second'));
    expect(world.told.splice(0)).toEqual(['deleted uid-of-a@3', 'added second@12']);
    world.view.replace([aPod('a', 20, 'third'), aPod('b', 5)], '20', world.view.listBegan());
    expect(world.told).toEqual(['deleted second@12', 'added third@20']);
  });

  it('tells only differences after another list', () => {
    world.view.replace([aPod('b', 5), aPod('a', 11), aPod('c', 12)], '20', world.view.listBegan());
    expect(world.told).toEqual(['updated uid-of-a@11', 'added uid-of-c@12']);
    world.told.length = 0;
    world.view.replace([aPod('b', 5)], '30', world.view.listBegan());
    expect(world.told).toEqual(['deleted uid-of-a@11', 'deleted uid-of-c@12']);
  });

  it('keeps own writes that a list, asked for before them, does not contain yet', () => {
    const mark = world.view.listBegan();
    world.view.written(aPod('c', 21));
    world.view.deleted('ns/a', 'uid-of-a');
    world.view.replace([aPod('a', 3), aPod('b', 5)], '20', mark);
    expect(world.shown()).toEqual(['b@5', 'c@21']);
    world.view.apply('ADDED', aPod('c', 21));
    world.view.apply('DELETED', aPod('a', 22));
    expect(world.view.pending()).toBe(0);
  });

  it('believes a list that was asked for after an own write, even one with smaller numbers (a restored etcd)', () => {
    world.view.written(aPod('c', 21));
    world.view.deleted('ns/a', 'uid-of-a');
    world.view.replace([aPod('a', 3), aPod('b', 4)], '7', world.view.listBegan());
    expect(world.shown()).toEqual(['b@4', 'a@3']);
    expect(world.view.pending()).toBe(0);
    expect(world.view.reached()).toBe('7');
  });

  it('drops an own write that the watch passes without showing it, as it selects something else', () => {
    world.view.written(aPod('c', 21));
    world.view.progress('20');
    expect(world.shown()).toContain('c@21');
    world.view.progress('21');
    expect(world.shown()).toEqual(['a@3', 'b@5']);
    expect(world.told).toEqual(['added uid-of-c@21', 'deleted uid-of-c@21']);
  });

  it('hides an object that an own write took out of the selector, until the watch has got there', () => {
    world.view.written(leaving(aPod('a', 14)));
    world.view.apply('MODIFIED', aPod('a', 12));
    expect(world.shown()).toEqual(['b@5']);
    world.view.apply('DELETED', leaving(aPod('a', 14)));
    world.view.apply('ADDED', aPod('a', 16));
    expect(world.shown()).toEqual(['b@5', 'a@16']);
  });

  it('keeps what an own write brought back into the selector while the watch shows it leave', () => {
    world.view.written(aPod('a', 16));
    world.view.apply('DELETED', leaving(aPod('a', 14)));
    expect(world.shown()).toEqual(['a@16', 'b@5']);
  });

  it('compares resourceVersions as numbers, beyond what a double holds', () => {
    world.view.apply('MODIFIED', {
      ...aPod('a', 0),
      metadata: { ...aPod('a', 0).metadata, resourceVersion: '9007199254740993' },
    });
    world.view.apply('MODIFIED', {
      ...aPod('a', 0),
      metadata: { ...aPod('a', 0).metadata, resourceVersion: '9007199254740992' },
    });
    expect(world.view.reached()).toBe('9007199254740993');
  });
});
