/** RFC 3339 in whole seconds, as Kubernetes writes `metav1.Time`. `atMs`: milliseconds since the Unix epoch. */
export const timestamp = (atMs: number): string =>
  new Date(Math.floor(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
