import { hostname } from "node:os";
import type { HttpContext, HttpServices } from "../context.ts";

/** Host names that always mean this machine: no external page can make a browser resolve them elsewhere. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the origin for links in a response: PUBLIC_URL if set. Otherwise the Host header counts only if it names this
 * machine: a forged one could put another server into the service's links.
 */
export function originOf(c: HttpContext, { publicUrl }: Pick<HttpServices, "publicUrl">): string {
  if (publicUrl !== undefined) return publicUrl;
  const { localAddress = "127.0.0.1", localPort = 80 } = c.env.incoming.socket;
  // IPv4 over an IPv6 socket has a prefix.
  const address = localAddress.replace(/^::ffff:/, "");
  const own = address.includes(":") ? `[${address}]` : address;
  const asked = URL.parse(`http://${c.req.header("Host") ?? ""}`);
  const isOwn = asked !== null && (LOOPBACK.test(asked.hostname) || [own, hostname()].includes(asked.hostname));
  return isOwn ? asked.origin : `http://${own}:${localPort}`;
}

/** Returns whether browsers reach the service by https, so that its cookies must be `Secure`. */
export function isHttps(c: HttpContext, { publicUrl }: Pick<HttpServices, "publicUrl">): boolean {
  return (publicUrl ?? c.req.url).startsWith("https:");
}
