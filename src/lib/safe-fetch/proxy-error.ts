import { codeOf } from "../error-code.ts";
import { connectionFault } from "./connection-fault.ts";
import type { Proxy } from "./proxies.ts";

/** undici's words for a proxy that answers instead of the target. */
const REFUSED = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;
/** undici's own errors of a connection to a proxy. */
const PROXY_CODES: ReadonlySet<string | undefined> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_PRX_CONN",
  "UND_ERR_PRX_TLS",
]);
/** The system calls that connect; with a proxy, they connect to it. */
const CONNECTING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);
const NEEDS_USER = 407;

/**
 * The proxy failed, so the target did not get the request. The message is a clause that names the setting to correct,
 * but not the proxy's host, which only its operator should know.
 */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly code = "ERR_PROXY";
}

/** The error of a failed request if its proxy is to blame; undefined if the target is, or if there is no proxy. */
export function findProxyError(error: unknown, proxy: Proxy | undefined): ProxyError | undefined {
  if (proxy === undefined || !(error instanceof Error)) return undefined;
  const reason = reasonOf(error, proxy);
  if (reason === undefined) return findProxyError(error.cause, proxy);
  return new ProxyError(`the proxy of ${proxy.setting} ${reason}`, { cause: error });
}

function reasonOf(error: Error, proxy: Proxy): string | undefined {
  const status = REFUSED.exec(error.message)?.[1];
  if (status !== undefined) return refusal(Number(status), proxy);
  const isConnecting = "syscall" in error && CONNECTING.has(error.syscall);
  return isConnecting || PROXY_CODES.has(codeOf(error)) ? `fails: ${connectionFault(error)}` : undefined;
}

function refusal(status: number, { hasUser }: Proxy): string {
  if (status !== NEEDS_USER) return `refuses the connection (HTTP ${status})`;
  return hasUser
    ? "rejects the user name and password of its URL (HTTP 407)"
    : "wants a user name and password in its URL (HTTP 407), as in http://name:password@proxy.example:3128";
}
