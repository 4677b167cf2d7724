import type { EndpointSlice, Endpoints } from '../../../../objects/index.ts';
import { column, namedPrinter, type Printer } from './printer.ts';

const shown = 3;

export const endpointSlicePrinter: Printer = namedPrinter<EndpointSlice>(
  [
    column('AddressType', 'IPv4, IPv6 or FQDN.'),
    column('Ports', 'Ports of the endpoints.'),
    column('Endpoints', 'Addresses of the endpoints.'),
  ],
  (slice) => [
    slice.addressType,
    few(
      (slice.ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')),
      '<unset>',
    ),
    few(
      (slice.endpoints ?? []).flatMap(({ addresses }) => addresses),
      '<unset>',
    ),
  ],
);

export const endpointsPrinter: Printer = namedPrinter<Endpoints>(
  [column('Endpoints', 'Addresses and ports of the endpoints.')],
  (endpoints) => [
    few(
      (endpoints.subsets ?? []).flatMap(({ addresses = [], ports = [] }) =>
        ports.length === 0
          ? addresses.map(({ ip }) => ip)
          : ports.flatMap(({ port }) => addresses.map(({ ip }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`)),
      ),
      '<none>',
    ),
  ],
);

const few = (all: readonly string[], none: string): string => {
  if (all.length === 0) return none;
  const first = all.slice(0, shown).join(',');
  return all.length > shown ? `${first} + ${all.length - shown} more...` : first;
};
