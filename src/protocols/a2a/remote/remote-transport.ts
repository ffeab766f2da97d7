import { EventSourceParserStream } from "eventsource-parser/stream";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { RemoteAgentError } from "./remote-card.ts";

/** The time limit of a call, in milliseconds. */
export const CALL_TIMEOUT_MS = 30_000;
/** The size limit of a response, which may contain files. */
export const MAX_ANSWER_BYTES = 10 * 1_048_576;
/** The same of one event of a stream, and of a whole stream. */
const MAX_EVENT_CHARACTERS = 10 * 1_048_576;
const MAX_STREAM_BYTES = 32 * 1_048_576;

/** The error code of JSON-RPC for a task that the agent does not know. */
export const TASK_NOT_FOUND = -32001;
/** The same for a method that it does not have. */
export const METHOD_NOT_FOUND = -32601;
/** The same for a method that it has, but not for this request. */
export const UNSUPPORTED_OPERATION = -32004;

/** The methods that a client calls. */
export type RemoteMethod = "send" | "stream" | "get" | "cancel";

/** The limits of a call. */
export interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A binding of the protocol at a card's endpoint. */
export interface RemoteTransport {
  /** Calls a method; returns its result. @throws RejectedError; RemoteAgentError; FetchFailedError */
  call(method: RemoteMethod, params: object, limits: CallLimits): Promise<unknown>;
  /** Calls a method that responds with a stream of results. @throws as {@link RemoteTransport.call} */
  stream(method: RemoteMethod, params: object, signal: AbortSignal): AsyncGenerator;
}

/** The agent rejected a request. */
export class RejectedError extends RemoteAgentError {
  /** A code of JSON-RPC, which other bindings' errors are mapped to; undefined for one without a counterpart. */
  readonly code: number | undefined;

  constructor(code: number | undefined, message: string, shownCode: string) {
    super(`The remote agent rejected the request: ${message.slice(0, 1_000)} (${shownCode})`);
    this.code = code;
  }
}

/** @throws RemoteAgentError for a status that says that the token is wrong or missing */
export function assertAccess(status: number, token: string | undefined): void {
  if (!isDenied(status)) return;
  const reason = token === undefined ? "needs a token, and is registered without one" : "does not accept its token";
  throw new RemoteAgentError(`The remote agent ${reason} (HTTP ${status}).`);
}

/** Whether a status says that the token is wrong or missing. */
export function isDenied(status: number): boolean {
  return status === 401 || status === 403;
}

/** Parses JSON; undefined for anything else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of a stream's events, or the whole body of a response without a stream. */
export async function* textsOf({ body, status, headers }: Awaited<ReturnType<SafeFetch>>): AsyncGenerator<string> {
  if (body === null) throw new RemoteAgentError(`The remote agent answered with HTTP ${status} and no body.`);
  const isStream = headers.get("content-type")?.includes("text/event-stream") ?? false;
  const pieces = body
    .pipeThrough(limitBytes(isStream ? MAX_STREAM_BYTES : MAX_ANSWER_BYTES))
    .pipeThrough(new TextDecoderStream());
  if (!isStream) {
    let text = "";
    for await (const piece of pieces) text += piece;
    yield text;
    return;
  }
  const events = pieces.pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS }));
  for await (const { data } of events) if (data !== "") yield data;
}

/** Fails a stream that is longer than this many bytes. */
function limitBytes(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes)
        throw new FetchFailedError(`The remote agent answers with more than ${formatSize(maxBytes)}.`);
      controller.enqueue(chunk);
    },
  });
}
