import { networkCheck } from "#lib/security/allowed-networks.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { clientAddress } from "../../middleware/client-address.ts";

/** What to tell a caller who limits a credential to networks: that it is on none of them, as a wrong network would show. */
export function networkWarnings(
  c: HttpContext,
  services: HttpServices,
  networks: readonly string[] | null | undefined,
): readonly string[] {
  if (networks == null) return [];
  const address = clientAddress(c, services);
  if (networkCheck(networks)(address)) return [];
  return [`The networks do not include your own address, ${address}: from here, the requests would be refused.`];
}
