import type { Cancel } from '../../platform/index.ts';
import type { ResourceRegistry, ServedResource, ServerAnswer, ServerRequest } from '../server-types.ts';

/** What the server says to a request: everything at once, or a stream that lives on (watch, `logs -f`). */
export type ServerOutcome = ServerAnswer | ServerStream;

/** A response whose body arrives in pieces. */
export interface ServerStream {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Starts the flow. The first pieces may come before it returns. The returned function ends it silently. */
  open(sink: StreamSink): Cancel;
}

export interface StreamSink {
  write(text: string): void;
  /** The stream is over, cleanly. Nothing is written afterwards. */
  end(): void;
}

export const isStream = (outcome: ServerOutcome): outcome is ServerStream => 'open' in outcome;

/** A path outside the resources (`/api`, `/apis`, `/openapi/v3`, …); undefined where it is not this page's path. */
export type Page = (registry: ResourceRegistry, request: ServerRequest) => ServerAnswer | undefined;

/** Another shape of the same answers, asked for by `Accept` (`as=Table`). */
export interface Rendering {
  readonly contentType: string;
  /** An object or a list, as it would be answered, in its other shape. */
  answer(body: unknown): unknown;
  /** The object of one watch event. `first`: the first event of this watch. */
  event(object: unknown, first: boolean): unknown;
}

/** Chooses a rendering for a request; undefined answers the object as it is. */
export type ChooseRendering = (request: ServerRequest, resource: ServedResource) => Rendering | undefined;

/** Turns a request body of some content type into the JSON value it stands for. Throws an Error with the reason. */
export type DecodeBody = (body: Uint8Array) => unknown;

/** What the front for people adds to the bare API server. */
export interface ServerExtensions {
  /** Asked in order, before the resources. */
  readonly pages?: readonly Page[] | undefined;
  readonly rendering?: ChooseRendering | undefined;
  /** By content type without parameters, e.g. `application/vnd.kubernetes.protobuf`. JSON needs none. */
  readonly decoders?: Readonly<Record<string, DecodeBody>> | undefined;
}
