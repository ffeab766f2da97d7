import { lookup as resolveName } from "node:dns";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import type { Response } from "undici";
import { UnsafeUrlError, checkAddress } from "./check-url.ts";
import type { Reach } from "./check-url.ts";
import { connectionFault } from "./connection-fault.ts";
import { FetchFailedError, followRedirects } from "./follow-redirects.ts";
import type { SafeInit, Sender } from "./follow-redirects.ts";
import { rejectAfterPause } from "./pause-guard.ts";
import { CONNECT_TIMEOUT_MS } from "./proxies.ts";
import type { Proxies } from "./proxies.ts";

/**
 * Fetches a URL chosen by a user, without reaching private addresses (SSRF guard). Follows at most 3 redirects, each
 * checked like the first URL; a redirect from https to http is rejected, and only harmless headers are sent to another
 * origin.
 * @returns the response, whose `url` is the final one; its body is not read yet (see `fetchWhole` for limits)
 * @throws UnsafeUrlError; FetchFailedError; the signal's reason
 */
export type SafeFetch = (url: string | URL, init?: SafeInit) => Promise<Response>;

/** Options of {@link createSafeFetch}. */
export interface SafeFetchOptions {
  readonly reach: Reach;
  readonly proxies: Proxies;
  /** Resolves host names as `dns.lookup` does with `all`. */
  readonly resolve?: typeof resolveAll;
}

/**
 * Creates a guarded fetch. Addresses are checked in the same look-up that the connection uses, which prevents DNS
 * rebinding; for a proxy, which resolves names itself, they are checked before it is asked.
 */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { dispatcher, check } = createGuardedWayOut(options);
  const sender: Sender<Response> = {
    ...options,
    async send(url, request) {
      await check(url);
      const { redirectMethod: _, ...sent } = request;
      return undiciFetch(url, { ...sent, redirect: "manual", dispatcher });
    },
    statusOf: ({ status }) => status,
    locationOf: ({ headers }) => headers.get("location"),
    discard: async ({ body }) => body?.cancel(),
  };
  return (given, init = {}) => followRedirects(sender, given, init);
}

/** How guarded requests leave this process: a dispatcher, and what to call before each request. */
export function createGuardedWayOut({ reach, proxies, resolve = resolveAll }: SafeFetchOptions) {
  const lookup = createSafeLookup({ reach, resolve });
  return {
    dispatcher: new Agent({ connect: { lookup, timeout: CONNECT_TIMEOUT_MS } }).compose(
      proxies.intercept,
      rejectAfterPause,
    ),
    /** Checks the addresses of a host whose name a proxy will resolve. @throws UnsafeUrlError; FetchFailedError */
    async check(url: URL): Promise<void> {
      const { hostname } = url;
      // The addresses of other names are checked when they are connected to, and those in URLs by `checkUrl`.
      if (reach === "anywhere" || proxies.find(url) === undefined || isAddress(hostname)) return;
      await new Promise<void>((pass, fail) => {
        lookup(hostname, { all: true }, (error) => (error === null ? pass() : fail(unchecked(hostname, error))));
      });
    },
  };
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || isIP(hostname) !== 0;
}

function unchecked(hostname: string, error: Error): Error {
  if (error instanceof UnsafeUrlError) return error;
  const reason = `${connectionFault(error)}, and its address is checked before a proxy is asked`;
  return new FetchFailedError(`${hostname} cannot be reached: ${reason}.`, { cause: error });
}

/**
 * A `lookup` for sockets that returns only allowed addresses; any other fails the connection with UnsafeUrlError.
 * It is not called for hosts that are IP addresses: see `checkAddress`.
 */
export function createSafeLookup({ reach, resolve = resolveAll }: Omit<SafeFetchOptions, "proxies">): LookupFunction {
  return function safeLookup(hostname, options, callback) {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, "");
      try {
        for (const { address } of addresses) checkAddress(hostname, address, reach);
      } catch (unsafe) {
        return callback(unsafe instanceof Error ? unsafe : new Error(String(unsafe)), "");
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
