import { hostname } from "node:os";
import type { HttpContext, HttpServices } from "../context.ts";

/** Names by which only this machine itself is reached: no page elsewhere can make a browser send its users there. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin that links of an answer begin with: PUBLIC_URL where it is set. Without it, what the request's Host
 * header says counts only when it names this machine: otherwise a forged header could put another's server into
 * a link that this service gives out.
 */
export function originOf(c: HttpContext, { publicUrl }: Pick<HttpServices, "publicUrl">): string {
  if (publicUrl !== undefined) return publicUrl;
  const { localAddress = "127.0.0.1", localPort = 80 } = c.env.incoming.socket;
  // IPv4 over a socket of IPv6 is written with a prefix.
  const address = localAddress.replace(/^::ffff:/, "");
  const own = address.includes(":") ? `[${address}]` : address;
  const asked = URL.parse(`http://${c.req.header("Host") ?? ""}`);
  const isOwn = asked !== null && (LOOPBACK.test(asked.hostname) || [own, hostname()].includes(asked.hostname));
  return isOwn ? asked.origin : `http://${own}:${localPort}`;
}
