/** An invalid field of the input, and the reason. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** The facts of a failed request. */
interface Failure extends ErrorOptions {
  readonly code: string;
  readonly url?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: readonly FieldIssue[] | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The only error of this client: the service rejected a request, or could not be reached. */
export class MusterError extends Error {
  /** A code of the service, such as `not_found`; else `network_error`, `timeout` or `invalid_response`. */
  readonly code: string;
  /** The URL of the request. */
  readonly url: string | undefined;
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** The invalid fields of the input, with their paths. */
  readonly details: readonly FieldIssue[];
  /** The pause that the service requests, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, url, status, requestId, details = [], retryAfterMs, ...options }: Failure) {
    super(message, options);
    this.name = "MusterError";
    this.code = code;
    this.url = url;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    const { status } = this;
    return status === undefined ? this.code !== "invalid_response" : status === 429 || status >= 500;
  }
}

/** Parses the error of a response, in the form of the envelope API or of AG-UI. */
export async function rejectionOf(response: Response): Promise<MusterError> {
  const { status, url, headers } = response;
  const retryAfter = Number(headers.get("Retry-After") ?? Number.NaN);
  const { code, message, details } = errorIn(await response.text().catch(() => ""));
  return new MusterError(message ?? `The service answered with status ${status}.`, {
    code: code ?? (status === 429 ? "rate_limit_exceeded" : status >= 500 ? "unavailable" : "rejected"),
    url,
    status,
    requestId: headers.get("X-Request-Id") ?? undefined,
    details,
    retryAfterMs: Number.isNaN(retryAfter) ? undefined : retryAfter * 1_000,
  });
}

interface ErrorText {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly FieldIssue[];
}

function errorIn(text: string): ErrorText {
  try {
    const { error }: { readonly error?: string | ErrorText } = JSON.parse(text);
    return typeof error === "string" ? { message: error } : (error ?? {});
  } catch {
    return {};
  }
}
