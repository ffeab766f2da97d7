import type { Span } from "#domain/traces/span.ts";
import { retryAfterMs } from "#lib/http/retry-after.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { WholeResponse } from "#lib/safe-fetch/fetch-whole.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { exportRequest } from "./export-request.ts";
import type { Sender } from "./export-request.ts";
import { encodeExportRequest } from "./protobuf.ts";
import { readResponse } from "./read-response.ts";

const MAX_RESPONSE_BYTES = 64 * 1024;
const [BAD_REQUEST, TOO_LARGE] = [400, 413];

/** The receiver of spans, and how it is reached. */
export interface OtlpReceiver extends Sender {
  /** The whole URL, with its path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/protobuf" | "http/json";
  readonly timeoutMs: number;
}

/** What became of spans. The reasons quote nothing that the receiver said. */
export type SendOutcome =
  /** Taken, except for some that the receiver will never take. */
  | { readonly type: "taken"; readonly rejected: number }
  /** The receiver will never take any of them. */
  | { readonly type: "rejected"; readonly reason: string }
  /** They are too many for one request. */
  | { readonly type: "too_large"; readonly reason: string }
  /** They must be sent again later. */
  | { readonly type: "unavailable"; readonly reason: string; readonly waitMs: number | undefined };

/** Sends spans; never throws for faults of the receiver. @throws the signal's reason */
export type SendSpans = (spans: readonly Span[], signal: AbortSignal) => Promise<SendOutcome>;

/** Creates a client of a receiver that speaks OTLP over HTTP. */
export function createOtlpClient(fetch: SafeFetch, receiver: OtlpReceiver): SendSpans {
  const isJson = receiver.protocol === "http/json";
  return async (spans, signal) => {
    const request = exportRequest(receiver, spans);
    try {
      const response = await fetchWhole(fetch, receiver.url, {
        method: "POST",
        headers: { ...receiver.headers, "content-type": isJson ? "application/json" : "application/x-protobuf" },
        body: isJson ? JSON.stringify(request) : encodeExportRequest(request),
        timeoutMs: receiver.timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        maxRedirects: 0,
        signal,
      });
      return outcomeOf(response, isJson);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      return { type: "unavailable", reason, waitMs: undefined };
    }
  };
}

/**
 * Only 400 says that the spans themselves are wrong. Everything else may pass: a wrong key is corrected, a path is
 * added. So the spans wait, as the run's records do.
 */
function outcomeOf({ ok, status, headers, body }: WholeResponse, isJson: boolean): SendOutcome {
  if (ok) return { type: "taken", rejected: readResponse(body, isJson).rejectedSpans };
  const reason = `it responded HTTP ${status}`;
  if (status === BAD_REQUEST) return { type: "rejected", reason };
  if (status === TOO_LARGE) return { type: "too_large", reason };
  return { type: "unavailable", reason, waitMs: retryAfterMs(Object.fromEntries(headers), Date.now()) };
}
