const secondsLayout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';

/** metav1.Time: any RFC 3339 time, written again in UTC with whole seconds. Throws with Go's words. */
export const secondsTimeOf = (text: string): string => {
  const match = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.exec(text);
  const ms = match === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(ms)) throw unreadable(text, secondsLayout);
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
};

/** metav1.MicroTime: exactly six digits of a second, no more, no less. Throws with Go's words. */
export const microTimeOf = (text: string): string => {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[-+]\d\d:\d\d)$/.exec(text);
  const [, whole = '', fraction = '', zone = ''] = match ?? [];
  if (match === null) throw unreadable(text, microLayout);
  if (fraction.length !== 7) {
    throw new Error(
      `parsing time ${JSON.stringify(text)} as ${JSON.stringify(microLayout)}: cannot parse ${JSON.stringify(`${fraction}${zone}`)} as ".000000"`,
    );
  }
  const ms = Date.parse(`${whole}${zone}`);
  if (Number.isNaN(ms)) throw unreadable(text, microLayout);
  return `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
};

const unreadable = (text: string, layout: string): Error =>
  new Error(
    `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(text)} as "2006"`,
  );
