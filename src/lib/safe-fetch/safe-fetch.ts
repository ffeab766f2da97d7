import { lookup as resolveName } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import type { Response } from "undici";
import { UnsafeUrl, checkAddress, checkUrl } from "./check-url.ts";
import type { Reach } from "./check-url.ts";

const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;
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
}

/**
 * Fetches a URL that somebody else chose, without reaching what only this machine should reach. At most 3
 * redirects are followed, each checked like the first URL; none leads from https to http, and to another origin
 * go only harmless headers.
 * @returns the response, whose `url` is the last one; its body is still to be read (see `fetchWhole` for caps).
 * @throws UnsafeUrl; FetchFailed; the signal's reason.
 */
export type SafeFetch = (url: string | URL, init?: SafeInit) => Promise<Response>;

/** The other side cannot be reached, broke off, or redirects too often. The message names the host and the fault. */
export class FetchFailed extends Error {
  override readonly name = "FetchFailed";
}

/** How {@link createSafeFetch} works. */
export interface SafeFetchOptions {
  readonly reach: Reach;
  /** Resolves names as `dns.lookup` does with `all`. */
  readonly resolve?: typeof resolveAll;
}

/**
 * Makes a guarded fetch. Every address that a name resolves to is checked in the very look-up whose answer is
 * connected to, so that another answer in between (DNS rebinding) gains nothing.
 */
export function createSafeFetch({ reach, resolve = resolveAll }: SafeFetchOptions): SafeFetch {
  const lookup = createSafeLookup({ reach, resolve });
  const dispatcher = new Agent({ connect: { lookup, timeout: CONNECT_TIMEOUT_MS } });

  return async function safeFetch(given, init = {}) {
    let url = checkUrl(given, reach);
    let request = init;
    for (let redirects = 0; ; redirects++) {
      const { redirectMethod: _, ...sent } = request;
      const response = await undiciFetch(url, { ...sent, redirect: "manual", dispatcher }).catch((error: unknown) =>
        explain(error, url, init.signal),
      );
      const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
      if (location === null) return response;
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS)
        throw new FetchFailed(`${url.hostname} redirects more than ${MAX_REDIRECTS} times.`);
      const next = checkUrl(URL.parse(location, url.href) ?? location, reach);
      request = follow(request, { status: response.status, from: url, to: next });
      url = next;
    }
  };
}

/**
 * A `lookup` for sockets that yields only addresses within reach; any other fails the connection with UnsafeUrl. It is
 * not called for hosts that are IP addresses already: see `checkAddress`.
 */
export function createSafeLookup({ reach, resolve = resolveAll }: SafeFetchOptions): LookupFunction {
  return function safeLookup(hostname, options, callback) {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, "");
      try {
        for (const { address } of addresses) checkAddress(hostname, address, reach);
      } catch (refusal) {
        return callback(refusal instanceof Error ? refusal : new Error(String(refusal)), "");
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

function resolveAll(hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void): void {
  resolveName(hostname, { all: true }, (error, addresses) => callback(error, addresses ?? []));
}

/** The request that a redirect asks for (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
function follow(
  { method = "GET", headers = {}, body, signal, redirectMethod }: SafeInit,
  { status, from, to }: { readonly status: number; readonly from: URL; readonly to: URL },
): SafeInit {
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw new UnsafeUrl(`${from.hostname} redirects from https to http, which is refused.`);
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
