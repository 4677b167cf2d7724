import { type KubeClient, resources } from '../../kube/index.ts';
import { type KubeObject, nameOf, type ObjectReference, uidOf } from '../../objects/index.ts';
import { type Clock, type Random, randomHex } from '../../platform/index.ts';
import { timestamp } from './timestamp.ts';

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** `spec.containers{name}` and the like. */
  readonly fieldPath?: string | undefined;
}

/** Notes for people (`kubectl describe`). Never waited for: an event that cannot be written is lost, and counted. */
export interface EventRecorder {
  record(about: KubeObject, note: EventNote): void;
  /** Forgets what was recorded about an object that is gone. */
  forget(uid: string): void;
  readonly lost: number;
}

export interface RecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly component: string;
  readonly host?: string | undefined;
}

interface Written {
  readonly name: string;
  count: number;
}

/** Writes nothing. */
export const silentRecorder: EventRecorder = { record: () => undefined, forget: () => undefined, lost: 0 };

/** The same note about the same object is one event whose count rises, as client-go's correlator has it. */
export const createEventRecorder = (options: RecorderOptions): EventRecorder => {
  const { client, clock, random } = options;
  const written = new Map<string, Map<string, Written>>();
  let lost = 0;

  const source = { component: options.component, ...(options.host === undefined ? {} : { host: options.host }) };

  const create = (about: KubeObject, note: EventNote, name: string): Promise<unknown> => {
    const at = timestamp(clock.wall());
    const namespace = about.metadata.namespace ?? 'default';
    return client.create(resources.events, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: referenceTo(about, note.fieldPath),
      type: note.type,
      reason: note.reason,
      message: note.message,
      source,
      reportingComponent: options.component,
      reportingInstance: options.host ?? '',
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    });
  };

  const repeat = (about: KubeObject, event: Written): Promise<unknown> => {
    event.count++;
    const body = { count: event.count, lastTimestamp: timestamp(clock.wall()) };
    const ref = { namespace: about.metadata.namespace ?? 'default', name: event.name };
    return client.patch(resources.events, ref, { type: 'strategic', body });
  };

  return {
    record: (about, note) => {
      const uid = uidOf(about);
      const notes = written.get(uid) ?? new Map<string, Written>();
      written.set(uid, notes);
      const key = [note.type, note.reason, note.fieldPath, note.message].join('\n');
      const known = notes.get(key);
      const event = known ?? { name: `${nameOf(about)}.${randomHex(random, 8)}`, count: 1 };
      notes.set(key, event);
      const write = known === undefined ? create(about, note, event.name) : repeat(about, event);
      write.catch(() => {
        lost++;
      });
    },
    forget: (uid) => written.delete(uid),
    get lost() {
      return lost;
    },
  };
};

const referenceTo = (about: KubeObject, fieldPath: string | undefined): ObjectReference => ({
  apiVersion: about.apiVersion ?? 'v1',
  kind: about.kind ?? '',
  name: nameOf(about),
  namespace: about.metadata.namespace,
  uid: uidOf(about),
  resourceVersion: about.metadata.resourceVersion,
  ...(fieldPath === undefined ? {} : { fieldPath }),
});
