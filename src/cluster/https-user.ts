import type { IncomingRequest } from '../platform/index.ts';

/** What may be read without saying who asks, as role `system:public-info-viewer` allows it. */
const publicPaths = /^\/(?:version|healthz|livez|readyz)(?:[/?]|$)/;

/**
 * Who sends a request: the user of its bearer token or of its client certificate, or the one they impersonate (anybody
 * may, since anybody may do everything here). Undefined for a request that proves nothing: 401.
 */
export const userOf = (request: IncomingRequest, tokens: ReadonlyMap<string, string>): string | undefined => {
  const authenticated = byToken(request.headers['authorization'], tokens) ?? request.clientName;
  if (authenticated !== undefined) return request.headers['impersonate-user'] ?? authenticated;
  return request.headers['authorization'] === undefined && publicPaths.test(request.path)
    ? 'system:anonymous'
    : undefined;
};

const byToken = (authorization: string | undefined, tokens: ReadonlyMap<string, string>): string | undefined => {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : tokens.get(token);
};
