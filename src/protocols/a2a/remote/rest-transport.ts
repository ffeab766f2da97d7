import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import type { RemoteCard } from "./remote-card.ts";
import {
  CALL_TIMEOUT_MS,
  MAX_ANSWER_BYTES,
  METHOD_NOT_FOUND,
  RejectedError,
  TASK_NOT_FOUND,
  UNSUPPORTED_OPERATION,
  assertAccess,
  parsedJson,
  textsOf,
} from "./remote-transport.ts";
import type { RemoteMethod, RemoteTransport } from "./remote-transport.ts";

const TYPE = "application/a2a+json";

const ofTask = z.looseObject({ id: z.string() });
const pathOfTask = (params: object) => `/tasks/${encodeURIComponent(ofTask.parse(params).id)}`;

/** The path of each method below the endpoint (https://a2a-protocol.org/v1.0.0/specification/#11-httpjsonrest-protocol-binding). */
const PATHS: Readonly<Record<RemoteMethod, (params: object) => string>> = {
  send: () => "/message:send",
  stream: () => "/message:stream",
  get: pathOfTask,
  cancel: (params) => `${pathOfTask(params)}:cancel`,
};

/** A google.rpc.Status. */
const rejection = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    details: z.array(z.looseObject({ reason: z.string().optional().catch(undefined) })).catch([]),
  }),
});

/** The codes of JSON-RPC for the reasons that this client treats in a way of their own. */
const CODES: Readonly<Record<string, number>> = {
  TASK_NOT_FOUND,
  UNSUPPORTED_OPERATION,
};

/** The HTTP+JSON binding of A2A 1.0 at a card's endpoint. */
export function createRestTransport(
  fetch: SafeFetch,
  { endpoint, protocol }: RemoteCard,
  token: string | undefined,
): RemoteTransport {
  const base = trimEndOf(endpoint, "/");
  const requestOf = (method: RemoteMethod, params: object, accept: string) => ({
    method: method === "get" ? "GET" : "POST",
    headers: {
      Accept: accept,
      "A2A-Version": protocol,
      ...(method !== "get" && { "Content-Type": TYPE }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(method !== "get" && { body: JSON.stringify(params) }),
  });
  return {
    async call(method, params, { signal, timeoutMs = CALL_TIMEOUT_MS }) {
      const { status, body } = await fetchWhole(fetch, base + PATHS[method](params), {
        ...requestOf(method, params, `${TYPE}, application/json`),
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal !== undefined && { signal }),
      });
      return resultOf(new TextDecoder().decode(body), { status, method, token });
    },
    async *stream(method, params, signal) {
      const url = base + PATHS[method](params);
      const answer = await fetch(url, { ...requestOf(method, params, "text/event-stream"), signal });
      for await (const text of textsOf(answer)) yield resultOf(text, { status: answer.status, method, token });
    },
  };
}

interface Answered {
  readonly status: number;
  readonly method: RemoteMethod;
  readonly token: string | undefined;
}

/** @throws RejectedError; FetchFailedError for a failure of the agent's server, which may pass; RemoteAgentError */
function resultOf(text: string, { status, method, token }: Answered): unknown {
  assertAccess(status, token);
  const body = parsedJson(text);
  const rejected = rejection.safeParse(body);
  if (rejected.success) {
    const { message, details } = rejected.data.error;
    const reason = details.find((one) => one.reason !== undefined)?.reason ?? "";
    throw new RejectedError(CODES[reason] ?? codeOf(status, method), message, `HTTP ${status}`);
  }
  if (status >= 500) throw new FetchFailedError(`The remote agent answered with HTTP ${status}.`);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw new RejectedError(codeOf(status, method), "no reason was given", `HTTP ${status}`);
}

/** What a status means without a reason. */
function codeOf(status: number, method: RemoteMethod): number | undefined {
  if (status === 405 || status === 501) return METHOD_NOT_FOUND;
  if (status !== 404) return undefined;
  return method === "get" || method === "cancel" ? TASK_NOT_FOUND : METHOD_NOT_FOUND;
}
