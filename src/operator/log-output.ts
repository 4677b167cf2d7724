import { pino } from 'pino';
import type { Log } from '../kube/index.ts';
import type { Clock } from '../platform/index.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogOptions {
  /** `json`: one object a line, for a cluster. `text`: one short line, for a person. */
  readonly format: 'json' | 'text';
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Takes whole lines, each with its newline. */
  readonly write: (line: string) => void;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** A log whose lines go to `write`. */
export const createLog = (options: LogOptions): Log =>
  options.format === 'json' ? jsonLog(options) : textLog(options);

const jsonLog = ({ level, clock, write }: LogOptions): Log =>
  pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(clock.wall()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );

const textLog = ({ level, clock, write }: LogOptions): Log => {
  const line =
    (at: LogLevel) =>
    (fields: object, message: string): void => {
      if (levels.indexOf(at) < levels.indexOf(level)) return;
      const time = new Date(clock.wall()).toISOString().slice(11, 19);
      write(`${[time, at.toUpperCase().padEnd(5), message, ...Object.entries(fields).map(pair)].join(' ')}\n`);
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
};

const pair = ([name, value]: [string, unknown]): string => {
  if (value instanceof Error) return `${name}=${JSON.stringify(causes(value).join(': '))}`;
  return `${name}=${typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : (JSON.stringify(value) ?? 'undefined')}`;
};

/** The message of an error and of everything that led to it. */
const causes = (error: Error): readonly string[] => [
  error.message,
  ...(error.cause instanceof Error ? causes(error.cause) : []),
];
