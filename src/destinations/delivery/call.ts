import type { SafeRequest } from "#lib/safe-fetch/safe-request.ts";
import type { DeliveryRequest, DeliveryResponse } from "../define-destination.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { ExchangeLog } from "./exchange-log.ts";
import { waitOf } from "./rate-limit.ts";

const MAX_RESPONSE_BYTES = 64 * 1024;
const USER_AGENT = "Muster";
/** The receiver has unsubscribed (https://www.rfc-editor.org/rfc/rfc9110#name-410-gone). */
const GONE = 410;

/** A request and its dependencies. */
export interface Call extends DeliveryRequest {
  readonly send: SafeRequest;
  readonly url: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request and logs it with its response. @throws DeliveryError for a status other than success; see SafeRequest
 */
export async function call(log: ExchangeLog, request: Call): Promise<DeliveryResponse> {
  const { send, url, signal, method = "POST", headers = {} } = request;
  const body = bodyOf(request);
  log.requests.push(`${method} ${url}\n\n${shownBody(headers, body)}`);
  const reply = await send(url, {
    method,
    headers: { "user-agent": USER_AGENT, "content-type": "application/json", ...headers },
    body,
    signal,
    redirectMethod: "keep",
    maxBytes: MAX_RESPONSE_BYTES,
  });
  const { status, text } = reply;
  log.httpCode = status;
  log.responses.push(`HTTP ${status}\n\n${text}`);
  if ((status >= 200 && status < 300) || status === request.alsoOk) return { status, text };
  const waitMs = waitOf(reply, Date.now());
  throw new DeliveryError(reasonOf(status, text), {
    isFinal: status === GONE,
    ...(waitMs !== undefined && { waitMs }),
  });
}

function bodyOf({ method, json, body }: DeliveryRequest): string | Uint8Array | undefined {
  return method === "GET" ? undefined : (body ?? JSON.stringify(json ?? {}));
}

/** An encoded body, such as an encrypted one, is no text, and neither is a file. */
function shownBody(headers: DeliveryRequest["headers"] = {}, body: string | Uint8Array = ""): string {
  if ("content-encoding" in headers) return `(${body.length} encoded bytes)`;
  return typeof body === "string" ? body : `(${body.length} bytes)`;
}

/**
 * Why a request was rejected; HTML pages are not quoted. Secrets are masked before the text is cut, or part of one
 * could remain.
 */
function reasonOf(status: number, text: string): string {
  const isPage = /^\s*</.test(text);
  return `HTTP ${status}${isPage || text === "" ? "" : `: ${text.trim()}`}`;
}
