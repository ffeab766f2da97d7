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
/** Ports of other protocols, which `fetch` also rejects (https://fetch.spec.whatwg.org/#port-blocking). */
const BLOCKED_PORTS: ReadonlySet<string> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135
  137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719
  1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
);
const PERMISSION = "an operator may allow those with ALLOW_PRIVATE_URLS=true";

/** Which addresses are allowed: public ones only, also private networks, or, for addresses set by the operator, any. */
export type Reach = "public" | "private" | "anywhere";

/** An address is not allowed. The message names the host and the reason, and no other part of the URL. */
export class UnsafeUrlError extends Error {
  override readonly name = "UnsafeUrlError";
}

/**
 * Checks a URL by its text: scheme, user name, port, and a host that is an IP address in any notation. A host name is checked
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
  if (BLOCKED_PORTS.has(url.port)) {
    throw new UnsafeUrlError(`Port ${url.port} is rejected: it is one of another protocol.`);
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
