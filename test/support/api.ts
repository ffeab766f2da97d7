import { z } from "zod";

/** An answer of the service, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is empty or no JSON. */
  readonly body: unknown;
}

/** What a request may carry besides its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a text already. */
  readonly body?: unknown;
  /** Ends a request that would not end. */
  readonly signal?: AbortSignal;
}

/** The envelope API for one caller. Paths are relative to /functions/v1, as in `/api-agents?id=…`. */
export interface Api {
  get(path: string, headers?: Sent["headers"]): Promise<Answer>;
  post(path: string, body: unknown, headers?: Sent["headers"]): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Sent["headers"]): Promise<Answer>;
  delete(path: string, headers?: Sent["headers"]): Promise<Answer>;
  /** Any method. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>;
}

/** Sends one request to any address and reads the answer, whatever it is. */
export async function send(method: string, url: string, { headers = {}, body, signal }: Sent = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** The envelope API of a service for the owner of a key. */
export function apiOf(service: { readonly url: string }, key: string): Api {
  return apiUnder(`${service.url}/functions/v1`, key);
}

/** The console's API of a service for the owner of a key; paths are relative to /console/api, as in `/keys`. */
export function consoleOf(service: { readonly url: string }, key: string): Api {
  return apiUnder(`${service.url}/console/api`, key);
}

function apiUnder(base: string, key: string): Api {
  const call: Api["call"] = (method, path, sent = {}) =>
    send(method, base + path, { ...sent, headers: { "x-api-key": key, ...sent.headers } });
  return {
    call,
    get: (path, headers = {}) => call("GET", path, { headers }),
    post: (path, body, headers = {}) => call("POST", path, { body, headers }),
    patch: (path, body, headers = {}) => call("PATCH", path, { body, headers }),
    delete: (path, headers = {}) => call("DELETE", path, { headers }),
  };
}

/** The header that asks for answers with an envelope. */
export const V2 = { "x-api-version": "2" } as const;

const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  }),
  meta: z.strictObject({ api_version: z.int(), request_id: z.string(), timestamp: z.iso.datetime() }),
});

/** A rejection in short: status and code, and the paths of its faults when it has details. */
export function refusal(answer: Answer): { status: number; code: string; message: string; paths: string[] } {
  const { code, message, details = [] } = errorBody.parse(answer.body).error;
  return { status: answer.status, code, message, paths: details.map(({ path }) => path) };
}

const row = z.record(z.string(), z.unknown());
const rows = z.array(row);

/** The body of an answer as an object. @throws ZodError when it is none. */
export function fieldsOf(answer: Answer): Record<string, unknown> {
  return row.parse(answer.body);
}

/** The body of an answer as a list of objects. @throws ZodError when it is none. */
export function listOf(answer: Answer): Record<string, unknown>[] {
  return rows.parse(answer.body);
}

/** The ids of a bare list. */
export function idsOf(answer: Answer): string[] {
  return listOf(answer).map(({ id }) => String(id));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
