import { z } from "zod";
import { CliError, RejectedError, UnreachableError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { isTransient, rejectionMessage } from "../errors/service-rejection.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 30_000;

/** A request of the envelope API or the console. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the query, beginning with a slash. */
  readonly path: string;
  /** Sent as JSON, unless it is a form. */
  readonly body?: object;
  /** Version 2 wraps data and gives lists a cursor; version 1 is bare data. */
  readonly version?: 1 | 2;
}

/** A request for the events of a task or a team's run. */
export interface StreamRequest {
  readonly path: string;
  readonly body: object;
  /** The last event that was seen; absent: from the start of the current run. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** The service as the commands talk to it. Every failure is a {@link CliError}. */
export interface HttpClient {
  /** Sends a request and reads its answer; `undefined` is what the schema gets of an answer without a body. */
  request<T>(schema: z.ZodType<T>, request: ApiRequest): Promise<T>;
  /** Fetches what is at a path of the service that needs no key. */
  fetchContent(path: string): Promise<Uint8Array>;
  /** Opens a stream of server-sent events. */
  openStream(request: StreamRequest): Promise<AsyncIterable<Uint8Array>>;
}

/** A client for the service and the keys of these settings. */
export function createHttpClient(settings: Settings): HttpClient {
  return {
    async request(schema, { method, path, body, version = 1 }) {
      const headers = { "X-API-Key": required("MUSTER_API_KEY", settings), "X-API-Version": String(version) };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const typed = body instanceof FormData ? { Accept: "application/json", ...headers } : jsonHeaders(headers);
      const response = await send(settings.url + path, { method, headers: typed, body, signal });
      if (!response.ok) throw await refusal(response, "MUSTER_API_KEY");
      return readAnswer(response, schema);
    },

    async fetchContent(path) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await send(settings.url + path, { method: "GET", headers: {}, body: undefined, signal });
      if (!response.ok) throw await refusal(response, "MUSTER_API_KEY");
      return response.bytes();
    },

    async openStream({ path, body, lastEventId, signal }) {
      const response = await send(settings.url + path, {
        method: "POST",
        headers: jsonHeaders({
          Authorization: `Bearer ${required("MUSTER_AGUI_KEY", settings)}`,
          Accept: "text/event-stream",
          ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
        }),
        body,
        signal,
      });
      if (!response.ok) throw await refusal(response, "MUSTER_AGUI_KEY");
      if (response.body === null) throw foreignAnswer(response.url);
      return response.body;
    },
  };
}

type KeyVariable = "MUSTER_API_KEY" | "MUSTER_AGUI_KEY";

const KEY_OPTION = { MUSTER_API_KEY: "--key", MUSTER_AGUI_KEY: "--agui-key" } as const;

function required(variable: KeyVariable, { apiKey, aguiKey }: Settings): string {
  const key = variable === "MUSTER_API_KEY" ? apiKey : aguiKey;
  if (key === undefined) {
    const how = `Set ${variable} or pass ${KEY_OPTION[variable]}.`;
    throw new CliError(EXIT.unauthorized, `No key. ${how}\nThe first start of a service and "muster init" print one.`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CliError(EXIT.unauthorized, `The key contains characters that no key has. Check ${variable}.`);
  }
  return key;
}

function jsonHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { Accept: "application/json", "Content-Type": "application/json", ...headers };
}

interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
  readonly signal: AbortSignal;
}

async function send(url: string, { body, ...request }: Outgoing): Promise<Response> {
  try {
    // A redirect would carry the key to another address.
    const sent = body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body);
    const response = await fetch(url, { ...request, body: sent, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    throw new UnreachableError(`${url} redirects to ${location}. Set --url or MUSTER_URL to the address there.`);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreachable(new URL(url).origin, error);
  }
}

function unreachable(origin: string, error: unknown): UnreachableError {
  const timedOut = error instanceof DOMException && error.name === "TimeoutError";
  const reason = timedOut ? `no answer within ${TIMEOUT_MS / 1_000} s` : reasonOf(error);
  return new UnreachableError(
    `Cannot reach the service at ${origin}: ${reason}.\n` +
      'Start it with "npm start" (or "muster serve"), or choose another one with --url or MUSTER_URL.',
    { cause: error },
  );
}

/** fetch says "fetch failed" and keeps what happened in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return "the connection was refused";
  if (code === "ENOTFOUND") return "its host name is unknown";
  return cause.message || code;
}

const errorAnswer = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, details: undefined })),
    z.object({
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    }),
  ]),
});

async function refusal(response: Response, variable: KeyVariable): Promise<CliError> {
  const text = await response.text().catch(() => "");
  const parsed = errorAnswer.safeParse(parseJson(text));
  const isService = parsed.success || isTransient(response.status);
  if (!isService && response.status !== 401 && response.status !== 403) return foreignAnswer(response.url);
  const { message, details } = parsed.data?.error ?? { message: response.statusText, details: undefined };
  return new RejectedError(
    response.status,
    rejectionMessage({
      status: response.status,
      message,
      details: details ?? [],
      requestId: response.headers.get("x-request-id"),
      retryAfter: response.headers.get("retry-after"),
      key: { variable, option: KEY_OPTION[variable] },
    }),
  );
}

async function readAnswer<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(new URL(response.url).origin, error);
  });
  const parsed = schema.safeParse(text === "" ? undefined : parseJson(text));
  if (!parsed.success) throw foreignAnswer(response.url, parsed.error);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function foreignAnswer(url: string, cause?: unknown): UnreachableError {
  const { origin, pathname } = new URL(url);
  return new UnreachableError(
    `What answers at ${origin}${pathname} is not a Muster service that this client understands. Check --url or MUSTER_URL.`,
    { cause },
  );
}
