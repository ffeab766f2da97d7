import { isIP } from "node:net";
import { kindOfAddress } from "./address.ts";

/** Names of metadata services, which some resolvers answer with other than the known addresses. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "instance-data",
  "instance-data.ec2.internal",
  "metadata",
  "metadata.azure.internal",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.tencentyun.com",
]);

/** Names without public servers (RFC 6761, RFC 6762, RFC 8375, and `internal` as reserved by ICANN). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;
const PERMISSION = "an operator may allow those with ALLOW_PRIVATE_URLS=true";

/** Which addresses are allowed: public ones only, also private networks, or, for addresses set by the operator, any. */
export type Reach = "public" | "private" | "anywhere";

/** An address is not allowed. The message names the host and the reason, and no other part of the URL. */
export class UnsafeUrlError extends Error {
  override readonly name = "UnsafeUrlError";
}

/**
 * Checks a URL by its text: scheme, user name, and a host that is an IP address in any notation. A host name is checked
 * when it is resolved, since the answer may change in between.
 * @throws UnsafeUrlError
 */
export function checkUrl(text: string | URL, reach: Reach): URL {
  const url = URL.parse(String(text));
  if (url === null) throw new UnsafeUrlError("This is not a URL.");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UnsafeUrlError(`Only http and https are allowed, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UnsafeUrlError("A URL must not hold a user name or password.");
  }
  // The parser has already normalised every notation of an IP address.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (METADATA_NAMES.has(host) && reach !== "anywhere")
    throw new UnsafeUrlError(`${host} is rejected: it is a cloud's metadata service.`);
  if (reach === "public" && LOCAL_NAME.test(host)) {
    throw new UnsafeUrlError(`${host} is rejected: it is a name of a private network (${PERMISSION}).`);
  }
  if (isIP(host) !== 0) checkAddress(host, host, reach);
  return url;
}

/**
 * Checks the address of a host, given or resolved. For a resolved name the message does not contain the address or its
 * kind of network, which would reveal the operator's network to a tenant.
 * @throws UnsafeUrlError
 */
export function checkAddress(host: string, address: string, reach: Reach): void {
  const kind = kindOfAddress(address);
  if (reach === "anywhere" || kind === "public" || kind === reach) return;
  if (host !== address) throw new UnsafeUrlError(`${host} is rejected: it does not lead to the public internet.`);
  const reason =
    kind === "private"
      ? `it is in a private network (${PERMISSION})`
      : "it is link-local, reserved, or a cloud's metadata service";
  throw new UnsafeUrlError(`${host} is rejected: ${reason}.`);
}
