import { getConnInfo } from "@hono/node-server/conninfo";
import { networkOf } from "#lib/security/network.ts";
import type { Client } from "#operations/accounts/client.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { readCookie } from "../middleware/cookies.ts";
import { DEVICE_COOKIE } from "./refresh-cookie.ts";

/**
 * Returns the client's network address: that of the connection or, behind reverse proxies, the one that the outermost
 * proxy saw. Earlier entries of `X-Forwarded-For` are the client's own claim and are ignored.
 */
export function clientOf(c: HttpContext, services: HttpServices): Client {
  const forwarded = (c.req.header("X-Forwarded-For") ?? "").split(",").map((address) => address.trim());
  const hops = [...forwarded, getConnInfo(c).remote.address ?? ""].filter((address) => address !== "");
  const address = hops[Math.max(0, hops.length - 1 - services.trustedProxies)] ?? "";
  return {
    address: networkOf(address),
    userAgent: c.req.header("User-Agent") ?? null,
    deviceToken: readCookie(c, services, DEVICE_COOKIE),
  };
}
