import { lookup as resolveName } from "node:dns";
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, fetch as undiciFetch } from "undici";
import type { Response } from "undici";
import { checkAddress } from "./check-url.ts";
import type { Reach } from "./check-url.ts";
import { followRedirects } from "./follow-redirects.ts";
import type { SafeInit, Sender } from "./follow-redirects.ts";

/** How long a connection may take, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Fetches a URL that somebody else chose, without reaching what only this machine should reach. At most 3
 * redirects are followed, each checked like the first URL; none leads from https to http, and to another origin
 * go only harmless headers.
 * @returns the response, whose `url` is the last one; its body is still to be read (see `fetchWhole` for caps).
 * @throws UnsafeUrl; FetchFailed; the signal's reason.
 */
export type SafeFetch = (url: string | URL, init?: SafeInit) => Promise<Response>;

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
