import type { ServedResource, ServerAnswer, ServerRequest } from '../server-types.ts';
import type { Core } from './core.ts';
import type { Rendering } from './seam.ts';

/** The rendering that the request's Accept header asks for, if any. */
export const renderingFor = (core: Core, request: ServerRequest, kind: ServedResource): Rendering | undefined =>
  core.extensions.rendering?.(request, kind);

/** An object or a list as an answer, in the shape the client asked for. */
export const answerWith = (
  core: Core,
  request: ServerRequest,
  options: { kind: ServedResource; status: number; body: unknown; warnings?: readonly string[] },
): ServerAnswer => {
  const { kind, status, body, warnings = [] } = options;
  const rendering = renderingFor(core, request, kind);
  return {
    status,
    contentType: rendering?.contentType,
    body: rendering === undefined ? body : rendering.answer(body),
    headers: warningHeaders(warnings),
  };
};

/**
 * Warnings in one header, as RFC 7234 writes them. Node and this transport carry one value per name, and clients split
 * it at the code that starts each warning.
 */
const warningHeaders = (warnings: readonly string[]): Readonly<Record<string, string>> | undefined =>
  warnings.length === 0
    ? undefined
    : { warning: warnings.map((text) => `299 - "${text.replace(/["\\]/g, '\\$&')}"`).join(', ') };
