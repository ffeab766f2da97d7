import { BlockList, isIP } from "node:net";

/** IPv4 networks, each as address and prefix length. */
type Networks = readonly (readonly [address: string, prefix: number])[];

/** Private networks. */
const PRIVATE_IPV4: Networks = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carriers' own (RFC 6598)
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
];
const PRIVATE_IPV6: Networks = [
  ["::1", 128],
  ["fc00::", 7],
];

/**
 * Addresses that are always forbidden, even for operators who allow private networks: cloud metadata services, which
 * hand out credentials, and addresses that no server has (https://www.iana.org/assignments/iana-ipv4-special-registry,
 * https://www.iana.org/assignments/iana-ipv6-special-registry).
 */
const FORBIDDEN_IPV4: Networks = [
  ["0.0.0.0", 8], // connects to this machine
  ["100.100.100.200", 32], // metadata of Alibaba Cloud
  ["168.63.129.16", 32], // Azure's platform
  ["169.254.0.0", 16], // link-local, with the metadata of most clouds
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const FORBIDDEN_IPV6: Networks = [
  ["2001::", 23], // Teredo and others that carry another address
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4
  ["3fff::", 20],
  ["fd00:42::42", 128], // metadata of Scaleway
  ["fd00:ec2::", 32], // metadata of AWS
  ["fd20:ce::254", 128], // metadata of Google Cloud
];

/** IPv6 forms that embed an IPv4 address: IPv4-mapped, and NAT64 (RFC 6052). */
const EMBEDDING_PREFIXES = ["::ffff:", "64:ff9b::"] as const;
const EMBEDDING_BITS = 96;

const PRIVATE = blockList(PRIVATE_IPV4, PRIVATE_IPV6);
const FORBIDDEN = blockList(FORBIDDEN_IPV4, FORBIDDEN_IPV6);
/** The publicly routed part of IPv6, and the forms that the lists above inspect. */
const ROUTED_IPV6 = blockList([["0.0.0.0", 0]], [["2000::", 3]]);

/** The class of an address: public, private, or forbidden. */
export type AddressKind = "public" | "private" | "forbidden";

/** Classifies an IP address in any notation of `inet_pton`; other texts are forbidden. */
export function kindOfAddress(address: string): AddressKind {
  const version = isIP(address);
  // Only link-local addresses have a zone.
  if (version === 0 || address.includes("%")) return "forbidden";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (FORBIDDEN.check(address, family)) return "forbidden";
  if (PRIVATE.check(address, family)) return "private";
  return version === 4 || ROUTED_IPV6.check(address, family) ? "public" : "forbidden";
}

function blockList(ipv4: Networks, ipv6: Networks): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ipv6) list.addSubnet(address, prefix, "ipv6");
  for (const [address, prefix] of ipv4) {
    list.addSubnet(address, prefix, "ipv4");
    for (const embedding of EMBEDDING_PREFIXES) {
      list.addSubnet(`${embedding}${address}`, EMBEDDING_BITS + prefix, "ipv6");
    }
  }
  return list;
}
