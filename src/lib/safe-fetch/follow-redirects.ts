import { UnsafeUrlError, checkUrl } from "./check-url.ts";
import type { Reach } from "./check-url.ts";
import { connectionFault } from "./connection-fault.ts";
import type { Proxies } from "./proxies.ts";
import { findProxyError } from "./proxy-error.ts";

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that are kept on a redirect to another origin; any other may be a secret for the first one. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** A request. Its body can be sent again, as some redirects require. */
export interface SafeInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /**
   * `keep`: 301 and 302 repeat the request unchanged. By default they change a POST to a GET without a body, as
   * browsers do. 303 always does.
   */
  readonly redirectMethod?: "keep";
  /** The maximum number of redirects, 3 by default; 0 when the body is meant for the first host only. */
  readonly maxRedirects?: number;
}

/** The host is unreachable, broke the connection, or redirects too often. The message names the host and the error. */
export class FetchFailedError extends Error {
  override readonly name = "FetchFailedError";
}

/** How {@link followRedirects} sends requests; each URL is checked first. */
export interface Sender<Reply> {
  readonly reach: Reach;
  readonly proxies: Proxies;
  send(url: URL, request: SafeInit): Promise<Reply>;
  statusOf(reply: Reply): number;
  /** The header `location`. */
  locationOf(reply: Reply): string | null;
  /** Discards the body of a redirect. */
  discard(reply: Reply): Promise<void>;
}

/**
 * Sends a request and follows its redirects, each checked like the first URL; a redirect from https to http is
 * rejected, and only harmless headers are sent to another origin.
 * @throws UnsafeUrlError; FetchFailedError; any error of `send`, with the reason that {@link explain} gives
 */
export async function followRedirects<Reply>(
  sender: Sender<Reply>,
  given: string | URL,
  { maxRedirects = MAX_REDIRECTS, ...init }: SafeInit,
): Promise<Reply> {
  let url = checkUrl(given, sender.reach);
  let request: SafeInit = init;
  for (let redirects = 0; ; redirects++) {
    const reply = await sender
      .send(url, request)
      .catch((error: unknown) => explain(error, { ...sender, url, signal: init.signal }));
    const status = sender.statusOf(reply);
    const location = REDIRECTS.has(status) ? sender.locationOf(reply) : null;
    if (location === null) return reply;
    await sender.discard(reply);
    if (redirects === maxRedirects) {
      const tooOften =
        maxRedirects === 0 ? "redirects, which is rejected" : `redirects more than ${maxRedirects} times`;
      throw new FetchFailedError(`${url.hostname} ${tooOften}.`);
    }
    const next = checkUrl(URL.parse(location, url.href) ?? location, sender.reach);
    request = follow(request, { status, from: url, to: next });
    url = next;
  }
}

/** The request after a redirect (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
function follow(
  { method = "GET", headers = {}, body, signal, redirectMethod }: SafeInit,
  { status, from, to }: { readonly status: number; readonly from: URL; readonly to: URL },
): SafeInit {
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new UnsafeUrlError(`${from.hostname} redirects from https to http, which is rejected.`);
  }
  const asGet =
    (status === 303 && method !== "HEAD") || (status < 303 && method === "POST" && redirectMethod !== "keep");
  const kept = Object.entries(headers).filter(([name]) => {
    const lowered = name.toLowerCase();
    if (asGet && lowered === "content-type") return false;
    return from.origin === to.origin || HARMLESS_HEADERS.has(lowered);
  });
  return {
    method: asGet ? "GET" : method,
    headers: Object.fromEntries(kept),
    ...(body !== undefined && !asGet && { body }),
    ...(signal !== undefined && { signal }),
    ...(redirectMethod !== undefined && { redirectMethod }),
  };
}

/** The context of a failed request. */
interface Sent extends Pick<Sender<unknown>, "proxies"> {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
}

/** fetch only says "fetch failed"; the reason is in the cause. */
function explain(error: unknown, { url, signal, proxies }: Sent): never {
  signal?.throwIfAborted();
  if (error instanceof FetchFailedError) throw error;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof UnsafeUrlError) throw cause;
  const ofProxy = findProxyError(cause, proxies.find(url));
  const reason = ofProxy?.message ?? connectionFault(cause);
  throw new FetchFailedError(`${url.hostname} cannot be reached: ${reason}.`, { cause: ofProxy ?? cause });
}
