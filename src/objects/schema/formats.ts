// Formats of strings that the API server checks (apiextensions-apiserver, pkg/apiserver/validation/formats.go). It
// ignores formats it does not know; so does this, and it also ignores isbn, creditcard, ssn, rgbcolor and bsonobjectid.

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const isDateTime = (text: string): boolean => {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time);
  if (!isDate(date) || match === null) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
};

const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${byte}(\\.${byte}){3}$`);

/** Eight groups, or fewer and one `::`; the last two groups may be an IPv4 address. */
const isIPv6 = (text: string): boolean => {
  const groups = text.replace(/(?<=:)(\d+\.){3}\d+$/, (tail) => (ipv4.test(tail) ? '0:0' : 'x'));
  const halves = groups.split('::');
  if (halves.length > 2) return false;
  const parts = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  return (
    parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part)) &&
    (halves.length === 2 ? parts.length < 8 : parts.length === 8)
  );
};

const isCIDR = (text: string): boolean => {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return ipv4.test(address) ? Number(bits) <= 32 : isIPv6(address) && Number(bits) <= 128;
};

/** Of Go (`1h30m`, `-1.5s`) or as people write it (`22 ns`, `3 days`). */
const isDuration = (text: string): boolean =>
  /^[-+]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text) ||
  /\d+\s*(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|week|wk)/i.test(text);

const hostChar = '[0-9\\p{L}\\p{S}]';
const hostLabel = `${hostChar}([-0-9\\p{L}\\p{S}]{0,61}${hostChar})?`;
/** One label, or several of which the last is a word of letters. */
const hostname = new RegExp(`^(${hostChar}(-?${hostChar}{0,62})?|(${hostLabel}\\.)+[A-Za-z\\p{L}]{2,63})$`, 'u');

const isRequestURI = (text: string): boolean => text.startsWith('/') || URL.canParse(text);

const uuid = (version: string, variant = '[0-9a-f]'): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i');

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const shortName = new RegExp(`^${dnsLabel}$`);
const longName = new RegExp(`^${dnsLabel}(\\.${dnsLabel})*$`);

/** By name without dashes: `date-time` and `datetime` are one. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  cidr: isCIDR,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: matches(/^[^\s@<>]+@[^\s@<>]+$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: (text) => text.length <= 255 && hostname.test(text),
  ipv4: matches(ipv4),
  ipv6: isIPv6,
  k8slongname: (text) => text.length <= 253 && longName.test(text),
  k8sshortname: (text) => text.length <= 63 && shortName.test(text),
  mac: matches(/^([0-9a-f]{2}[:-]){5}([0-9a-f]{2})$/i),
  uri: isRequestURI,
  uuid: matches(uuid('[0-9a-f]')),
  uuid3: matches(uuid('3')),
  uuid4: matches(uuid('4', '[89ab]')),
  uuid5: matches(uuid('5', '[89ab]')),
};

/** Whether the text has that format; true for formats nobody checks. */
export const hasFormat = (format: string, text: string): boolean => {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) ? (formats[name]?.(text) ?? true) : true;
};
