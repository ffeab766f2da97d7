import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { fetchWhole } from "../safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "../safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "../safe-fetch/safe-fetch.ts";
import { RemoteAgentError } from "./remote-card.ts";
import type { RemoteCard } from "./remote-card.ts";
import { formatSize } from "../text/format-size.ts";

const CALL_TIMEOUT_MS = 30_000;
const CANCEL_TIMEOUT_MS = 5_000;
/** The size limits of a response and of one event of a stream, which may contain files, and of a whole stream. */
const MAX_ANSWER_BYTES = 10 * 1_048_576;
const MAX_EVENT_CHARACTERS = 10 * 1_048_576;
const MAX_STREAM_BYTES = 32 * 1_048_576;
const TASK_NOT_FOUND = -32001;

/** The errors of an agent that has no streams, although its card says so: method not found, unsupported operation. */
const NO_STREAMS: ReadonlySet<number> = new Set([-32601, -32004]);

const response = z
  .looseObject({
    result: z.unknown().optional(),
    error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
  })
  .refine((answer) => "result" in answer || answer.error !== undefined);

/** The method names in each version. */
const METHODS = {
  "0.3": { send: "message/send", stream: "message/stream", get: "tasks/get", cancel: "tasks/cancel" },
  "1.0": { send: "SendMessage", stream: "SendStreamingMessage", get: "GetTask", cancel: "CancelTask" },
} as const;

/** A message to a remote agent. */
export interface RemoteMessage {
  /** The same id when the message is sent again. */
  readonly messageId: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The task to continue. */
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/** The agent rejected a request with an error of JSON-RPC. */
class RejectedError extends RemoteAgentError {
  readonly code: number;

  constructor(code: number, message: string) {
    super(`The remote agent rejected the request: ${message.slice(0, 1_000)} (${code})`);
    this.code = code;
  }
}

/** Calls a remote agent over A2A in its card's version. */
export interface RemoteClient {
  /**
   * Sends a message and yields the results as they arrive: a stream if the agent supports it, or else one response. An
   * agent that announces streams and rejects the method gets the message without one.
   * Pass the results to {@link createProgressCollector}.
   * @throws RemoteAgentError; FetchFailedError; the signal's reason
   */
  send(message: RemoteMessage, signal: AbortSignal): AsyncGenerator;
  /** The task's current state; undefined when the agent does not know it. @throws as {@link RemoteClient.send} */
  getTask(taskId: string, signal: AbortSignal): Promise<unknown>;
  /** Asks the agent to cancel a task; the agent may refuse. */
  cancelTask(taskId: string): Promise<void>;
}

/** Creates a client. The token is sent as a bearer token with every request. */
export function createRemoteClient(fetch: SafeFetch, card: RemoteCard, token: string | undefined): RemoteClient {
  const names = METHODS[card.protocol];
  const { call, stream } = createRpc(fetch, card, token);
  return {
    async *send(message, signal) {
      const params = sendParams(card.protocol, message);
      let hasBegun = false;
      try {
        if (card.streaming) {
          for await (const result of stream(names.stream, params, signal)) {
            hasBegun = true;
            yield result;
          }
          return;
        }
      } catch (error) {
        signal.throwIfAborted();
        const hasNone = !hasBegun && error instanceof RejectedError && NO_STREAMS.has(error.code);
        if (!hasNone) throw explained(error);
      }
      // An agent without streams may do its work before it responds; only the signal limits that.
      const answer = await call(names.send, params, { signal, timeoutMs: Infinity }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw explained(error);
      });
      yield resultOf(answer);
    },
    async getTask(taskId, signal) {
      const answer = await call(names.get, { id: taskId }, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw explained(error);
      });
      return answer.error?.code === TASK_NOT_FOUND ? undefined : resultOf(answer);
    },
    async cancelTask(taskId) {
      await call(names.cancel, { id: taskId }, { timeoutMs: CANCEL_TIMEOUT_MS });
    },
  };
}

interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** JSON-RPC at a card's endpoint: one response, or a stream of results. */
function createRpc(fetch: SafeFetch, { endpoint, protocol }: RemoteCard, token: string | undefined) {
  const headers = {
    "Content-Type": "application/json",
    "A2A-Version": protocol,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const bodyOf = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

  /** @throws RemoteAgentError for a status that says that the token is wrong or missing */
  function assertAccess(status: number): void {
    if (!isDenied(status)) return;
    const reason = token === undefined ? "needs a token, and is registered without one" : "does not accept its token";
    throw new RemoteAgentError(`The remote agent ${reason} (HTTP ${status}).`);
  }

  return {
    async call(method: string, params: object, { signal, timeoutMs = CALL_TIMEOUT_MS }: CallLimits) {
      const answer = await fetchWhole(fetch, endpoint, {
        method: "POST",
        headers: { ...headers, Accept: "application/json" },
        body: bodyOf(method, params),
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal !== undefined && { signal }),
      });
      assertAccess(answer.status);
      return readResponse(new TextDecoder().decode(answer.body), answer.status);
    },
    async *stream(method: string, params: object, signal: AbortSignal): AsyncGenerator {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: { ...headers, Accept: "text/event-stream" },
        body: bodyOf(method, params),
        signal,
      });
      if (isDenied(answer.status)) await answer.body?.cancel();
      assertAccess(answer.status);
      for await (const text of textsOf(answer)) yield resultOf(readResponse(text, answer.status));
    },
  };
}

function isDenied(status: number): boolean {
  return status === 401 || status === 403;
}

/** The error of a request as one of the documented ones: any other is caused by the remote agent, too. */
function explained(error: unknown): Error {
  if (error instanceof RemoteAgentError || error instanceof FetchFailedError) return error;
  // undici reports a lost connection as a TypeError.
  if (error instanceof TypeError)
    return new FetchFailedError("The connection to the remote agent was lost.", { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return new RemoteAgentError(`The remote agent cannot be used: ${reason}`, { cause: error });
}

/** The data of a stream's events, or the whole body of a response without a stream. */
async function* textsOf({ body, status, headers }: Awaited<ReturnType<SafeFetch>>): AsyncGenerator<string> {
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

function sendParams(protocol: RemoteCard["protocol"], { text, ...given }: RemoteMessage): object {
  if (protocol === "1.0") {
    const message = { ...given, role: "ROLE_USER", parts: [{ text, mediaType: "text/plain" }] };
    return { message, configuration: { returnImmediately: true } };
  }
  const message = { ...given, kind: "message", role: "user", parts: [{ kind: "text", text }] };
  return { message, configuration: { blocking: false } };
}

/** @throws FetchFailedError for a failure of the agent's server, which may pass; RemoteAgentError */
function readResponse(text: string, status: number): z.output<typeof response> {
  const parsed = response.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  if (status >= 500) throw new FetchFailedError(`The remote agent answered with HTTP ${status}.`);
  throw new RemoteAgentError(`The remote agent answered with HTTP ${status} and no JSON-RPC response.`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function resultOf({ result, error }: z.output<typeof response>): unknown {
  if (error === undefined) return result;
  throw new RejectedError(error.code, error.message);
}
