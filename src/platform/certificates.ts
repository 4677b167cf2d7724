import { generate } from 'selfsigned';
import type { Clock } from './clock.ts';

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

const dayMs = 24 * 3600 * 1000;

/** Certificates begin an hour early, so that a client whose clock lags accepts them. */
const validity = (clock: Clock, days: number): { readonly notBeforeDate: Date; readonly notAfterDate: Date } => ({
  notBeforeDate: new Date(clock.wall() - dayMs / 24),
  notAfterDate: new Date(clock.wall() + days * dayMs),
});

const elliptic = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

interface Issue {
  readonly clock: Clock;
  readonly commonName: string;
  /** From now, in days. Default 365. */
  readonly days?: number | undefined;
}

/** A certificate authority of its own, to be trusted by those who get its certificate. */
export const createAuthority = async ({ clock, commonName, days = 365 }: Issue): Promise<KeyPair> => {
  const made = await generate([{ name: 'commonName', value: commonName }], {
    ...elliptic,
    ...validity(clock, days),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { certificate: made.cert, key: made.private };
};

/** A certificate for a TLS server that answers under these DNS names and IP addresses. */
export const issueServerCertificate = async (
  authority: KeyPair,
  issue: Issue & { readonly dnsNames: readonly string[]; readonly addresses: readonly string[] },
): Promise<KeyPair> => {
  const altNames = [
    ...issue.dnsNames.map((value) => ({ type: 2 as const, value })),
    ...issue.addresses.map((ip) => ({ type: 7 as const, ip })),
  ];
  return issueCertificate(authority, issue, [
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames },
  ]);
};

/** A certificate that proves who a client is: the common name is the user. */
export const issueClientCertificate = (authority: KeyPair, issue: Issue): Promise<KeyPair> =>
  issueCertificate(authority, issue, [{ name: 'extKeyUsage', clientAuth: true }]);

type Extensions = NonNullable<NonNullable<Parameters<typeof generate>[1]>['extensions']>;

const issueCertificate = async (authority: KeyPair, issue: Issue, extensions: Extensions): Promise<KeyPair> => {
  const { clock, commonName, days = 365 } = issue;
  const made = await generate([{ name: 'commonName', value: commonName }], {
    ...elliptic,
    ...validity(clock, days),
    ca: { key: authority.key, cert: authority.certificate },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      ...extensions,
    ],
  });
  return { certificate: made.cert, key: made.private };
};
