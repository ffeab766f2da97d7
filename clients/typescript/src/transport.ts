import { MusterError, rejectionOf } from "./muster-error.ts";
import { pause } from "./pause.ts";
import { startTimeLimit } from "./time-limit.ts";

const TIMEOUT_MS = 30_000;
const RETRIES = 4;
const FIRST_PAUSE_MS = 250;
/** The maximum pause that a service may request. */
const MAX_PAUSE_MS = 60_000;
/** The methods whose requests may be sent twice. */
const SAFE = new Set(["GET", "PUT"]);

/** The options of a client. */
export interface ClientOptions {
  /** The URL of the service, such as `http://127.0.0.1:4400`. */
  readonly url: string;
  /** A key of the workspace: `mst_…`. */
  readonly key: string;
  /** The timeout of one try, in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** The maximum number of retries of a request that may succeed later; default 4. */
  readonly retries?: number;
  /** Called with each warning of the service, such as a second agent with the same name. */
  readonly onWarning?: (warning: string) => void;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The options of one call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** For a POST that must be executed once even if your program restarts; default: a random one per call. */
  readonly idempotencyKey?: string;
  /** The maximum number of retries of this call; default: {@link ClientOptions.retries}. */
  readonly retries?: number;
}

type Scalar = string | number | boolean;
/** Query parameters; a list is sent as several parameters. */
export type Query = Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;

/** A request of an operation. */
export interface OperationRequest {
  readonly method: string;
  /** The path, including its parameters. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly isRepeatable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, read to its end. */
export interface Answer {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends requests. */
export interface Transport {
  /** Sends a request, with retries where that is safe and may help. @throws MusterError; the signal's reason. */
  send(request: OperationRequest, options: CallOptions): Promise<Answer>;
  /** Sends a request once, without a timeout: for streams. @throws MusterError; the signal's reason. */
  open(request: OperationRequest, signal: AbortSignal): Promise<Response>;
}

/** Creates the transport to a service. */
export function createTransport(options: ClientOptions): Transport {
  const { retries: usualRetries = RETRIES, timeoutMs = TIMEOUT_MS } = options;
  return {
    async send(request, { signal, idempotencyKey = randomKey(), retries = usualRetries }) {
      const keyed: Record<string, string> = request.isRepeatable === true ? { "Idempotency-Key": idempotencyKey } : {};
      const sent = { ...request, headers: { ...request.headers, ...keyed } };
      const isSafe = SAFE.has(request.method) || request.isRepeatable === true;
      for (let tries = 0; ; tries++) {
        const limit = startTimeLimit(timeoutMs, signal, timeout);
        try {
          return await read(await sendOnce(options, sent, limit.signal), options.url);
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof MusterError) || tries >= retries || !mayRetry(error, isSafe)) throw error;
          await pause(pauseBefore(tries, error), signal);
        } finally {
          limit.end();
        }
      }
    },
    open: (request, signal) => sendOnce(options, request, signal),
  };
}

/** Returns 128 random bits. `crypto.randomUUID` is missing on http pages that are not on localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function timeout(): DOMException {
  return new DOMException("the response took too long", "TimeoutError");
}

async function read(response: Response, url: string): Promise<Answer> {
  const text = await response.text().catch((cause: unknown) => {
    throw unreachable(url, cause);
  });
  return { status: response.status, url: response.url, headers: response.headers, text };
}

/** A request over the rate limit was not executed; any other one may have been. */
function mayRetry(error: MusterError, isSafe: boolean): boolean {
  return error.status === 429 || (isSafe && error.isTransient);
}

function pauseBefore(tries: number, { retryAfterMs }: MusterError): number {
  const backoff = FIRST_PAUSE_MS * 2 ** tries * (0.5 + Math.random() / 2);
  return Math.min(Math.max(retryAfterMs ?? 0, backoff), MAX_PAUSE_MS);
}

async function sendOnce(options: ClientOptions, request: OperationRequest, signal: AbortSignal): Promise<Response> {
  const { method, path, query = {}, body } = request;
  const isForm = body instanceof FormData;
  const credential: Record<string, string> = path.startsWith("/ag-ui/")
    ? { Authorization: `Bearer ${options.key}` }
    : { "X-API-Key": options.key };
  const typed: Record<string, string> = body === undefined || isForm ? {} : { "Content-Type": "application/json" };
  const response = await (options.fetch ?? fetch)(`${options.url.replace(/(?<!\/)\/+$/, "")}${path}${queryOf(query)}`, {
    method,
    headers: { Accept: "application/json", ...credential, ...typed, ...request.headers },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    // A redirect would carry the key to another address.
    redirect: "error",
    signal,
  }).catch((cause: unknown) => {
    throw unreachable(options.url, cause);
  });
  if (!response.ok) throw await rejectionOf(response);
  const warning = response.headers.get("X-Warning");
  if (warning !== null) options.onWarning?.(warning);
  return response;
}

function queryOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value ?? []].flat()) search.append(name, String(each));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** An error for a request without a response. */
export function unreachable(url: string, cause: unknown): MusterError {
  const isTimeout = cause instanceof DOMException && cause.name === "TimeoutError";
  const code = isTimeout ? "timeout" : "network_error";
  const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : "";
  return new MusterError(`Cannot reach the service at ${url}: ${reason}`, { code, url, cause });
}
