import { z } from "zod";
import { CliError, RejectedError, UnreachableError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { isTransient, rejectionMessage } from "../errors/service-rejection.ts";
import { kindOfKey } from "#domain/access/api-key.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 30_000;

const HOW_TO_GET_A_KEY = "Create a key on the machine of the service: muster keys create";

const KEY_NAMES = {
  table: "a key of the table API",
  mcp: "an MCP key",
  a2a: "an A2A key",
  "ag-ui": "an AG-UI key",
  anon: "the anon key of the table API",
} as const;

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
  /** Opens a stream of server-sent events; undefined when nothing follows the last event that was seen. */
  openStream(request: StreamRequest): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** A client for the service and the keys of these settings. */
export function createHttpClient(settings: Settings): HttpClient {
  return {
    async request(schema, { method, path, body, version = 1 }) {
      const headers = { "X-API-Key": requiredKey(settings), "X-API-Version": String(version) };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const typed = body instanceof FormData ? { Accept: "application/json", ...headers } : jsonHeaders(headers);
      const response = await send(settings.url + path, { method, headers: typed, body, signal });
      if (!response.ok) throw await refusal(response);
      return readAnswer(response, schema);
    },

    async fetchContent(path) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await send(settings.url + path, { method: "GET", headers: {}, body: undefined, signal });
      if (!response.ok) throw await refusal(response);
      return response.bytes();
    },

    async openStream({ path, body, lastEventId, signal }) {
      const response = await send(settings.url + path, {
        method: "POST",
        headers: jsonHeaders({
          Authorization: `Bearer ${requiredKey(settings)}`,
          Accept: "text/event-stream",
          ...(lastEventId !== undefined && { "Last-Event-ID": lastEventId }),
        }),
        body,
        signal,
      });
      if (!response.ok) throw await refusal(response);
      if (response.status === 204) return undefined;
      if (response.body === null) throw foreignAnswer(response.url);
      return response.body;
    },
  };
}

function requiredKey({ apiKey }: Settings): string {
  if (apiKey === undefined) {
    throw new CliError(
      EXIT.unauthorized,
      `No API key. Run "muster login", or set MUSTER_API_KEY.\n${HOW_TO_GET_A_KEY}`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliError(EXIT.unauthorized, "The API key contains characters that no key has. Check MUSTER_API_KEY.");
  }
  const kind = kindOfKey(apiKey);
  if (kind !== "envelope" && kind !== undefined) {
    throw new CliError(
      EXIT.unauthorized,
      `This is ${KEY_NAMES[kind]}. This client needs an API key: mst_ followed by 43 characters.\n${HOW_TO_GET_A_KEY}`,
    );
  }
  return apiKey;
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
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return "it does not speak https; try http:// in the URL";
  if (code === "HPE_INVALID_CONSTANT" || code === "UND_ERR_SOCKET" || code === "ECONNRESET") {
    return "it closed the connection without an HTTP response; try https:// in the URL";
  }
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

async function refusal(response: Response): Promise<CliError> {
  const text = await response.text().catch(() => "");
  const parsed = errorAnswer.safeParse(parseJson(text));
  if (/HTTPS port/i.test(text)) return wantsHttps(response.url);
  if (!parsed.success && !isTransient(response.status)) return foreignAnswer(response.url);
  const { message, details } = parsed.data?.error ?? { message: response.statusText, details: undefined };
  return new RejectedError(
    response.status,
    rejectionMessage({
      status: response.status,
      message,
      details: details ?? [],
      requestId: response.headers.get("x-request-id"),
      retryAfter: response.headers.get("retry-after"),
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

function wantsHttps(url: string): UnreachableError {
  const { origin } = new URL(url);
  return new UnreachableError(`${origin} expects https. Use ${origin.replace("http:", "https:")}.`);
}

function foreignAnswer(url: string, cause?: unknown): UnreachableError {
  const { origin, pathname } = new URL(url);
  return new UnreachableError(
    `The response of ${origin}${pathname} is not one of a Muster service. Check --url or MUSTER_URL.`,
    { cause },
  );
}
