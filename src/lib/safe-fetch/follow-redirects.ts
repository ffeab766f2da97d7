import { UnsafeUrl, checkUrl } from "./check-url.ts";
import type { Reach } from "./check-url.ts";

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What may follow a redirect to another origin; any other header may be a secret of the first one. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** A request. Its body can be sent again, as some redirects ask for. */
export interface SafeInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /**
   * `keep`: 301 and 302 repeat the request as it was. By default they turn a POST into a GET without a body, as
   * browsers do. 303 always does.
   */
  readonly redirectMethod?: "keep";
  /** How many redirects are followed: 3 unless told; 0 for a request whose body is for the first host alone. */
  readonly maxRedirects?: number;
}

/** The other side cannot be reached, broke off, or redirects too often. The message names the host and the fault. */
export class FetchFailed extends Error {
  override readonly name = "FetchFailed";
}

/** How {@link followRedirects} sends requests, each to a URL that is checked. */
export interface Sender<Reply> {
  readonly reach: Reach;
  send(url: URL, request: SafeInit): Promise<Reply>;
  statusOf(reply: Reply): number;
  /** The header `location`. */
  locationOf(reply: Reply): string | null;
  /** Gives up the body of a reply that redirects. */
  discard(reply: Reply): Promise<void>;
}

/**
 * Sends a request and follows its redirects, each checked like the first URL; none leads from https to http, and
 * to another origin go only harmless headers.
 * @throws UnsafeUrl; FetchFailed; whatever `send` throws, with the reason that {@link explain} gives.
 */
export async function followRedirects<Reply>(
  sender: Sender<Reply>,
  given: string | URL,
  { maxRedirects = MAX_REDIRECTS, ...init }: SafeInit,
): Promise<Reply> {
  let url = checkUrl(given, sender.reach);
  let request: SafeInit = init;
  for (let redirects = 0; ; redirects++) {
    const reply = await sender.send(url, request).catch((error: unknown) => explain(error, url, init.signal));
    const status = sender.statusOf(reply);
    const location = REDIRECTS.has(status) ? sender.locationOf(reply) : null;
    if (location === null) return reply;
    await sender.discard(reply);
    if (redirects === maxRedirects) {
      const tooOften =
        maxRedirects === 0 ? "redirects, which is rejected" : `redirects more than ${maxRedirects} times`;
      throw new FetchFailed(`${url.hostname} ${tooOften}.`);
    }
    const next = checkUrl(URL.parse(location, url.href) ?? location, sender.reach);
    request = follow(request, { status, from: url, to: next });
    url = next;
  }
}

/** The request that a redirect asks for (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
function follow(
  { method = "GET", headers = {}, body, signal, redirectMethod }: SafeInit,
  { status, from, to }: { readonly status: number; readonly from: URL; readonly to: URL },
): SafeInit {
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new UnsafeUrl(`${from.hostname} redirects from https to http, which is rejected.`);
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

/** fetch says "fetch failed" and hides the reason. */
function explain(error: unknown, url: URL, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted();
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof UnsafeUrl) throw cause;
  const reason = cause instanceof Error ? ("code" in cause ? String(cause.code) : cause.message) : String(cause);
  throw new FetchFailed(`${url.hostname} cannot be reached: ${reason}.`, { cause });
}
