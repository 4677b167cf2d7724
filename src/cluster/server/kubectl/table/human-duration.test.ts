import { describe, expect, it } from 'vitest';
import { humanDuration, since } from './human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('ages', () => {
  it.each([
    [-3 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [59_999, '59s'],
    [119 * second, '119s'],
    [120 * second, '2m'],
    [121 * second, '2m1s'],
    [10 * minute, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [3 * hour + minute, '3h1m'],
    [8 * hour, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [2 * day + hour, '2d1h'],
    [8 * day, '8d'],
    [729 * day, '729d'],
    [730 * day, '2y'],
    [731 * day, '2y1d'],
    [8 * 365 * day, '8y'],
  ])('%i ms reads %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('are unknown without a timestamp and invalid for a text that is none', () => {
    expect(since(undefined, 0)).toBe('<unknown>');
    expect(since('yesterday', 0)).toBe('<invalid>');
    expect(since('1970-01-01T00:00:01Z', 36 * second)).toBe('35s');
  });
});
