import { networkOf } from "#lib/security/network.ts";
import type { Client } from "#operations/accounts/client.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { clientAddress } from "../middleware/client-address.ts";
import { readCookie } from "../middleware/cookies.ts";
import { DEVICE_COOKIE } from "./refresh-cookie.ts";

/** Returns the client of a request, by the network of its {@link clientAddress}. */
export function clientOf(c: HttpContext, services: HttpServices): Client {
  return {
    address: networkOf(clientAddress(c, services)),
    userAgent: c.req.header("User-Agent") ?? null,
    deviceToken: readCookie(c, services, DEVICE_COOKIE),
  };
}
