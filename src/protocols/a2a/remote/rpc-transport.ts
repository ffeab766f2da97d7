import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { RemoteAgentError } from "./remote-card.ts";
import type { RemoteCard } from "./remote-card.ts";
import {
  CALL_TIMEOUT_MS,
  MAX_ANSWER_BYTES,
  RejectedError,
  assertAccess,
  isDenied,
  parsedJson,
  textsOf,
} from "./remote-transport.ts";
import type { RemoteTransport } from "./remote-transport.ts";

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

/** JSON-RPC at a card's endpoint. */
export function createRpcTransport(
  fetch: SafeFetch,
  { endpoint, protocol }: RemoteCard,
  token: string | undefined,
): RemoteTransport {
  const names = METHODS[protocol];
  const headers = {
    "Content-Type": "application/json",
    "A2A-Version": protocol,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const bodyOf = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return {
    async call(method, params, { signal, timeoutMs = CALL_TIMEOUT_MS }) {
      const answer = await fetchWhole(fetch, endpoint, {
        method: "POST",
        headers: { ...headers, Accept: "application/json" },
        body: bodyOf(names[method], params),
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal !== undefined && { signal }),
      });
      assertAccess(answer.status, token);
      return readResponse(new TextDecoder().decode(answer.body), answer.status);
    },
    async *stream(method, params, signal) {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: { ...headers, Accept: "text/event-stream" },
        body: bodyOf(names[method], params),
        signal,
      });
      if (isDenied(answer.status)) await answer.body?.cancel();
      assertAccess(answer.status, token);
      for await (const text of textsOf(answer)) yield readResponse(text, answer.status);
    },
  };
}

/** @throws RejectedError; FetchFailedError for a failure of the agent's server, which may pass; RemoteAgentError */
function readResponse(text: string, status: number): unknown {
  const parsed = response.safeParse(parsedJson(text));
  if (parsed.success) {
    const { result, error } = parsed.data;
    if (error === undefined) return result;
    throw new RejectedError(error.code, error.message, String(error.code));
  }
  if (status >= 500) throw new FetchFailedError(`The remote agent answered with HTTP ${status}.`);
  throw new RemoteAgentError(`The remote agent answered with HTTP ${status} and no JSON-RPC response.`);
}
