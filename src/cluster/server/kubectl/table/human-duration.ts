const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * A duration in milliseconds as ages are shown: two or three significant figures, `35s`, `7m2s`, `3h10m`, `5d`, `2y41d`.
 * The steps are those of k8s.io/apimachinery/pkg/util/duration.HumanDuration. A second into the future is clock skew
 * and reads `0s`; more is `<invalid>`.
 */
export const humanDuration = (ms: number): string => {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(ms / minuteMs);
  if (minutes < 10) return pair([minutes, 'm'], [seconds % 60, 's']);
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(ms / hourMs);
  if (hours < 8) return pair([hours, 'h'], [minutes % 60, 'm']);
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return pair([days, 'd'], [hours % 24, 'h']);
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? pair([years, 'y'], [days % 365, 'd']) : `${years}y`;
};

const pair = (large: readonly [number, string], small: readonly [number, string]): string =>
  small[0] === 0 ? large.join('') : `${large.join('')}${small.join('')}`;

/** How long ago a timestamp was, `<unknown>` where there is none. */
export const since = (timestamp: string | undefined | null, nowMs: number): string => {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? '<invalid>' : humanDuration(nowMs - at);
};
