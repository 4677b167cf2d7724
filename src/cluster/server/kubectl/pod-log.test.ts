import { describe, expect, it } from 'vitest';
import { aRequest } from '../../../../test/support/page-requests.ts';
import { createVirtualPlatform } from '../../../simulation/index.ts';
import type { StoredObject } from '../../server-types.ts';
import type { LogSource } from '../core.ts';
import { isStream, type ServerOutcome } from '../seam.ts';
import { podLog } from './pod-log.ts';

/** A Pod with one running container whose log and state the test writes. */
const aNode = () => {
  const platform = createVirtualPlatform();
  const state = {
    containerID: 'one',
    lines: ['a', 'b'],
    previous: ['old'],
    ended: false,
    gone: false,
    scheduled: true,
  };
  const pod = (): StoredObject | undefined =>
    state.gone
      ? undefined
      : {
          metadata: { name: 'p', uid: 'u' },
          spec: { containers: [{ name: 'c' }], ...(state.scheduled ? { nodeName: 'n' } : {}) },
          status: {
            containerStatuses: [
              {
                name: 'c',
                containerID: state.containerID,
                state: state.ended ? { terminated: { exitCode: 0 } } : { running: {} },
              },
            ],
          },
        };
  const written: LogSource = { read: (_pod, _container, { previous }) => (previous ? state.previous : state.lines) };
  const read = (query = '', source = written) => {
    const outcome = podLog({ platform, source, pod, request: aRequest('GET', `/log?${query}`) });
    return flow(outcome);
  };
  return { platform, state, pod, read };
};

const flow = (outcome: ServerOutcome) => {
  if (!isStream(outcome)) throw new Error('not a stream');
  const seen = { text: '', ended: false };
  const cancel = outcome.open({
    write: (text) => {
      seen.text += text;
    },
    end: () => {
      seen.ended = true;
    },
  });
  return { seen, cancel };
};

describe('the log of a Pod', () => {
  it('is the text of its container, or the end of it', () => {
    const { read } = aNode();
    expect(read().seen).toEqual({ text: 'a\nb\n', ended: true });
    expect(read('tailLines=1').seen.text).toBe('b\n');
    expect(read('limitBytes=3').seen.text).toBe('a\nb');
    expect(read('previous=true').seen.text).toBe('old\n');
  });

  it('goes on while it is followed, until the container ends', async () => {
    const { platform, state, read } = aNode();
    const { seen } = read('follow=true&tailLines=1');
    expect(seen).toEqual({ text: 'b\n', ended: false });
    state.lines = [...state.lines, 'c'];
    await platform.advance(1000);
    expect(seen).toEqual({ text: 'b\nc\n', ended: false });
    state.lines = [...state.lines, 'd'];
    state.ended = true;
    await platform.advance(1000);
    expect(seen).toEqual({ text: 'b\nc\nd\n', ended: true });
  });

  it('ends, when followed, with a restart and with the Pod', async () => {
    for (const change of [{ containerID: 'two', lines: ['other', 'other', 'other'] }, { gone: true }]) {
      const { platform, state, read } = aNode();
      const { seen } = read('follow=true');
      Object.assign(state, change);
      await platform.advance(1000);
      expect(seen).toEqual({ text: 'a\nb\n', ended: true });
    }
  });

  it('is looked at no more once the client has left', async () => {
    const { platform, state, read } = aNode();
    const { seen, cancel } = read('follow=true');
    cancel();
    state.lines = [...state.lines, 'c'];
    await platform.advance(1000);
    expect(seen).toEqual({ text: 'a\nb\n', ended: false });
  });

  it('says why there is none', () => {
    const { state, read } = aNode();
    const nothing: LogSource = { read: () => undefined };
    expect(() => read('container=x')).toThrow('container x is not valid for pod p');
    expect(() => read('previous=true', nothing)).toThrow('previous terminated container "c" in pod "p" not found');
    expect(() => read('', nothing)).toThrow('container "c" in pod "p" is waiting to start: ContainerCreating');
    state.scheduled = false;
    expect(() => read('', nothing)).toThrow('pod p does not have a host assigned');
    expect(() => read('timestamps=true')).toThrow('the embedded cluster does not support timestamps of logs');
  });
});
