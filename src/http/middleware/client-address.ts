import { getConnInfo } from "@hono/node-server/conninfo";
import type { HttpContext, HttpServices } from "../context.ts";

/**
 * Returns the client's IP address: that of the connection or, behind reverse proxies, the one that the outermost proxy
 * saw. Earlier entries of `X-Forwarded-For` are the client's own claim and are ignored.
 */
export function clientAddress(c: HttpContext, { trustedProxies }: Pick<HttpServices, "trustedProxies">): string {
  const connected = getConnInfo(c).remote.address ?? "";
  if (trustedProxies === 0) return connected;
  const forwarded = (c.req.header("X-Forwarded-For") ?? "").split(",").map((address) => address.trim());
  const hops = [...forwarded, connected].filter((address) => address !== "");
  return hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? "";
}
