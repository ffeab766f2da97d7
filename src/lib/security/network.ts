import { BlockList, isIP, isIPv6 } from "node:net";

/** An IPv6 client gets a whole network: 64 bits, four groups. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Identifies a client for counting: an IPv4 address unchanged, an IPv6 address by its /64 network, since a client can
 * choose any address in it. Other texts are returned unchanged.
 */
export function networkOf(address: string): string {
  const [, mapped] = MAPPED_IPV4.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [bare = ""] = address.split("%");
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: tail === undefined ? 0 : GROUPS - front.length - back.length }, () => "0");
  const groups = [...front, ...zeros, ...back].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/** Whether an IP address is a loopback address; false for other texts. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
