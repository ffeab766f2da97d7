import { BlockList, isIP } from "node:net";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

/** Why a text is no network such as `203.0.113.0/24` or `2001:db8::/32`, nor an address; undefined when it is one. */
export function findNetworkProblem(text: string): string | undefined {
  const [address = "", prefix, more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || address.includes("%") || more !== undefined) {
    return "must be a network such as 203.0.113.0/24 or 2001:db8::/32, or an IP address";
  }
  if (MAPPED_IPV4.test(address)) return "must have its IPv4 address as it is, without ::ffff:";
  const bits = bitsOf(family);
  if (prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= bits)) return undefined;
  return `must have a prefix of 0 to ${bits} bits after the slash`;
}

/** Returns whether an address is in one of these networks. The time grows with their number; no name is looked up. */
export function networkCheck(networks: readonly string[]): (address: string) => boolean {
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 4 ? 4 : 6;
    lists[family].addSubnet(address, Number(prefix ?? bitsOf(family)), `ipv${family}`);
  }
  return (given) => {
    const [address = ""] = given.replace(MAPPED_IPV4, "").split("%");
    const family = isIP(address);
    return (family === 4 && lists[4].check(address, "ipv4")) || (family === 6 && lists[6].check(address, "ipv6"));
  };
}

function bitsOf(family: number): number {
  return family === 4 ? 32 : 128;
}
