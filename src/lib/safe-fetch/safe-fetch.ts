import { lookup as resolveName } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import type { Response } from "undici";
import { checkAddress } from "./check-url.ts";
import type { Reach } from "./check-url.ts";
import { followRedirects } from "./follow-redirects.ts";
import type { SafeInit, Sender } from "./follow-redirects.ts";

/** The time limit of connecting, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 10_000;

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
  /** Resolves host names as `dns.lookup` does with `all`. */
  readonly resolve?: typeof resolveAll;
}

/**
 * Creates a guarded fetch. Addresses are checked in the same look-up that the connection uses, which prevents DNS
 * rebinding.
 */
export function createSafeFetch({ reach, resolve = resolveAll }: SafeFetchOptions): SafeFetch {
  const lookup = createSafeLookup({ reach, resolve });
  const dispatcher = new Agent({ connect: { lookup, timeout: CONNECT_TIMEOUT_MS } });

  const sender: Sender<Response> = {
    reach,
    send(url, request) {
      const { redirectMethod: _, ...sent } = request;
      return undiciFetch(url, { ...sent, redirect: "manual", dispatcher });
    },
    statusOf: ({ status }) => status,
    locationOf: ({ headers }) => headers.get("location"),
    discard: async ({ body }) => body?.cancel(),
  };
  return (given, init = {}) => followRedirects(sender, given, init);
}

/**
 * A `lookup` for sockets that returns only allowed addresses; any other fails the connection with UnsafeUrlError.
 * It is not called for hosts that are IP addresses: see `checkAddress`.
 */
export function createSafeLookup({ reach, resolve = resolveAll }: SafeFetchOptions): LookupFunction {
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
