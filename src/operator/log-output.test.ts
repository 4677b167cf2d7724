import { describe, expect, it } from 'vitest';
import { createVirtualPlatform } from '../simulation/index.ts';
import { createLog, type LogLevel } from './log-output.ts';

const aLog = (format: 'json' | 'text', level: LogLevel = 'info') => {
  const lines: string[] = [];
  const { clock } = createVirtualPlatform({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
  return { lines, log: createLog({ format, level, clock, write: (line) => lines.push(line) }) };
};

describe('the log of a cluster', () => {
  it('is one JSON object a line, on the injected clock', () => {
    const { log, lines } = aLog('json');
    log.info({ key: 'default/ms', effects: 3 }, 'decided');
    log.debug({}, 'not shown');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', time: '2026-01-02T03:04:05.000Z', key: 'default/ms', effects: 3, message: 'decided' },
    ]);
  });

  it('shows an error with its stack and its cause', () => {
    const { log, lines } = aLog('json');
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
    const { err } = JSON.parse(lines[0] ?? '{}');
    expect(err.message).toContain('outer');
    expect(err.stack).toContain('inner');
  });
});

describe('the log of a person', () => {
  it('is one short line', () => {
    const { log, lines } = aLog('text', 'debug');
    log.debug({ key: 'default/ms', why: 'an image changed' }, 'patch pods');
    log.error({ err: new Error('no answer', { cause: new Error('no route') }) }, 'cannot read');
    expect(lines).toEqual([
      '03:04:05 DEBUG patch pods key=default/ms why="an image changed"\n',
      '03:04:05 ERROR cannot read err="no answer: no route"\n',
    ]);
  });
});
