import { BlockList, isIP } from "node:net";

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
/** A host or a network, and a port; an IPv6 address has a port only in brackets. */
const ENTRY = /^(?:\[(?<bracketed>[^\]]+)\]|(?<host>[^:]+)|(?<bare>[^:]*:[^:]*:.*))(?::(?<port>\d+))?$/;

/** Whether an entry of NO_PROXY covers a URL's host and port. */
type Entry = (host: string, port: string) => boolean;

/**
 * Creates the rule of NO_PROXY: which URLs are reached without a proxy. Its entries are separated by commas or spaces:
 * a host, which covers its subdomains as well (`example.org`, `.example.org`), only the subdomains (`*.example.org`), an
 * address, a network (`10.0.0.0/8`), or `*` for all; each may end with a port (`example.org:8080`).
 */
export function createNoProxyRule(noProxy: string): (url: URL) => boolean {
  const entries = noProxy
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(toEntry);
  return ({ hostname, port, protocol }) => {
    const host = plainHost(hostname);
    const used = port === "" ? (DEFAULT_PORTS[protocol] ?? "") : port;
    return entries.some((covers) => covers(host, used));
  };
}

function toEntry(text: string): Entry {
  const { bracketed, host, bare, port } = ENTRY.exec(text)?.groups ?? {};
  const named = plainHost(bracketed ?? host ?? bare ?? text);
  const covers = networkRule(named) ?? hostRule(named);
  return (given, used) => (port === undefined || port === used) && covers(given);
}

/** The rule of a network in CIDR notation; undefined for anything else. */
function networkRule(text: string): ((host: string) => boolean) | undefined {
  const [address = "", prefix = "", ...rest] = text.split("/");
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || rest.length > 0 || !/^\d+$/.test(prefix) || Number(prefix) > bits) return undefined;
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), version === 4 ? "ipv4" : "ipv6");
  return (host) => isIP(host) !== 0 && network.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}

function hostRule(text: string): (host: string) => boolean {
  if (text === "*") return () => true;
  const name = text.replace(/^\*?\./, "");
  const isWildcard = text.startsWith("*");
  return (host) => (!isWildcard && host === name) || host.endsWith(`.${name}`);
}

/** A host without the brackets of IPv6 and the dot at the end, in lower case. */
function plainHost(host: string): string {
  return host
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/(.)\.$/, "$1")
    .toLowerCase();
}
