import type { ServerAnswer, ServerRequest } from '../../server-types.ts';
import { contentHash } from './content-hash.ts';

/** An answer with an ETag. A client that holds the same content already gets 304 and nothing else. */
export const cachedAnswer = (
  request: ServerRequest,
  answer: { readonly body: unknown; readonly contentType: string; readonly cacheControl: string },
): ServerAnswer => {
  const text = JSON.stringify(answer.body);
  const etag = `"${contentHash(text)}"`;
  const headers = { etag, 'cache-control': answer.cacheControl, vary: 'Accept' };
  return request.headers['if-none-match'] === etag
    ? { status: 304, contentType: answer.contentType, headers, body: '' }
    : { status: 200, contentType: answer.contentType, headers, body: text };
};
