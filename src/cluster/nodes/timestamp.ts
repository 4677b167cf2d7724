/** RFC 3339 in whole seconds, as Kubernetes writes `metav1.Time`. `atMs`: milliseconds since the Unix epoch. */
export const timestamp = (atMs: number): string =>
  new Date(Math.floor(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');

/** RFC 3339 with six digits of fraction, as Kubernetes writes `metav1.MicroTime`; the server refuses any other number. */
export const microTimestamp = (atMs: number): string =>
  new Date(Math.floor(atMs)).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
