import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { UnsafeUrlError } from "#lib/safe-fetch/check-url.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";
import { withoutInvisible } from "#lib/text/without-invisible.ts";

const CARD_PATHS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
/** The end of a card's own URL. */
const CARD_PATH = /\/\.well-known\/[^/]*$/;
const MAX_CARD_BYTES = 262_144;
const CARD_TIMEOUT_MS = 10_000;
const MAX_SKILLS = 100;
const JSONRPC = "JSONRPC";
const HTTP_JSON = "HTTP+JSON";

const text = z.string().catch("");
const transport = z.string().catch(JSONRPC);
const agentInterface = z.looseObject({ url: z.string(), protocolBinding: transport, protocolVersion: text });
const name = z.string().overwrite(withoutInvisible);
const skill = z.looseObject({ id: text, name: name.catch(""), description: text });

/** The fields of a card that clients need, in either version. */
const card = z.looseObject({
  name: name.min(1),
  description: text,
  version: text,
  url: z.string().nullish(),
  preferredTransport: transport,
  additionalInterfaces: z.array(z.looseObject({ url: z.string(), transport })).catch([]),
  supportedInterfaces: z.array(agentInterface).catch([]),
  capabilities: z.looseObject({ streaming: z.boolean().catch(false) }).catch({ streaming: false }),
  skills: z.array(skill).optional().catch(undefined),
});

/** Parses a stored {@link RemoteCard}. */
export const remoteCard = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  skills: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
  /** The endpoint of its methods. */
  endpoint: z.string(),
  /** How they are called there. Cards of before the other binding was known have none. */
  binding: z.enum(["JSONRPC", "HTTP+JSON"]).default("JSONRPC"),
  protocol: z.enum(["0.3", "1.0"]),
  streaming: z.boolean(),
});

/** A remote agent, as described by its card. */
export type RemoteCard = Readonly<z.output<typeof remoteCard>>;

/** A remote agent cannot be used; the message gives the reason. */
export class RemoteAgentError extends Error {
  override readonly name = "RemoteAgentError";
}

/** Where to fetch a card. */
export interface CardRequest {
  /** The agent's base URL, or the card's own URL when it ends with .json. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Fetches an agent's card: agent-card.json, or else agent.json.
 * @throws RemoteAgentError when there is no card, or it has no endpoint of a known binding
 */
export async function fetchCard(fetch: SafeFetch, request: CardRequest): Promise<RemoteCard> {
  const problems = new Set<string>();
  for (const url of cardUrls(request.baseUrl)) {
    const found = await tryCard(fetch, url, request);
    if (typeof found !== "string") return found;
    problems.add(found);
  }
  throw new RemoteAgentError(`No agent card was found. ${[...problems].join(" ")}`);
}

function cardUrls(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  if (url.pathname.endsWith(".json")) return [baseUrl];
  const base = url.origin + trimEndOf(url.pathname, "/");
  return CARD_PATHS.map((path) => base + path);
}

/** The card, or the reason why this URL has none. */
async function tryCard(
  fetch: SafeFetch,
  url: string,
  { token, signal, baseUrl }: CardRequest,
): Promise<RemoteCard | string> {
  try {
    const {
      ok,
      status,
      body,
      url: cardUrl,
    } = await fetchWhole(fetch, url, {
      headers: {
        Accept: "application/json",
        "A2A-Version": "1.0",
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      timeoutMs: CARD_TIMEOUT_MS,
      maxBytes: MAX_CARD_BYTES,
      ...(signal !== undefined && { signal }),
    });
    if (!ok) return `${new URL(url).pathname}: HTTP ${status}.`;
    return readCard(JSON.parse(new TextDecoder().decode(body)), { baseUrl, cardUrl, hasToken: token !== undefined });
  } catch (error) {
    if (error instanceof SyntaxError) return `${new URL(url).pathname}: it is not JSON.`;
    if (error instanceof FetchFailedError || error instanceof UnsafeUrlError) return error.message;
    throw error;
  }
}

/** Where a card came from, and what its endpoint gets. */
interface CardOrigin {
  readonly baseUrl: string;
  /** The card's own URL, which relative URLs in it are resolved against. */
  readonly cardUrl: string;
  readonly hasToken: boolean;
}

/** Parses a fetched card. @throws RemoteAgentError */
function readCard(given: unknown, origin: CardOrigin): RemoteCard {
  const parsed = card.safeParse(given);
  if (!parsed.success) throw new RemoteAgentError("The agent card has no name, or is no card at all.");
  const { name, description, version, capabilities, skills = [] } = parsed.data;
  const { url, protocol, binding } = endpointOf(parsed.data, origin.baseUrl);
  const endpoint = URL.parse(url, origin.cardUrl);
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol)) {
    throw new RemoteAgentError("The endpoint in the agent card is not a URL of http or https.");
  }
  if (origin.hasToken && endpoint.origin !== new URL(origin.baseUrl).origin) {
    throw new RemoteAgentError(`The token is not sent to ${endpoint.origin}, which the card names as the endpoint.`);
  }
  return {
    name: clean(name, 100),
    description: clean(description, 2_000),
    version: clean(version, 50),
    skills: skills.slice(0, MAX_SKILLS).map((one) => ({
      id: clean(one.id, 100),
      name: clean(one.name, 100),
      description: clean(one.description, 500),
    })),
    endpoint: endpoint.href,
    binding,
    protocol,
    streaming: capabilities.streaming,
  };
}

/** The endpoint to call. A card that names none of any kind is of an agent that is called at its base URL. */
function endpointOf(
  given: z.output<typeof card>,
  baseUrl: string,
): Pick<RemoteCard, "protocol" | "binding"> & { readonly url: string } {
  const named = [given.url ?? [], given.additionalInterfaces, given.supportedInterfaces].flat();
  if (named.length === 0 && given.skills !== undefined) {
    return { url: baseUrl.replace(CARD_PATH, ""), protocol: "0.3", binding: JSONRPC };
  }
  const offered = (binding: string) =>
    given.supportedInterfaces.filter(({ protocolBinding }) => protocolBinding.toUpperCase() === binding);
  for (const binding of [JSONRPC, HTTP_JSON] as const) {
    const newer = offered(binding).find(({ protocolVersion }) => protocolVersion.startsWith("1."));
    if (newer !== undefined) return { url: newer.url, protocol: "1.0", binding };
  }
  const [url] = olderEndpoints(given);
  if (url !== undefined) return { url, protocol: "0.3", binding: JSONRPC };
  const versions = offered(JSONRPC)
    .map(({ protocolVersion }) => clean(protocolVersion, 20))
    .join(", ");
  const others = versions === "" ? "" : ` of A2A 0.x or 1.x; it offers ${clean(versions, 100)}`;
  throw new RemoteAgentError(`The agent card names no endpoint for JSON-RPC or HTTP+JSON${others}.`);
}

/** The endpoints for JSON-RPC of A2A 0.x. */
function olderEndpoints(given: z.output<typeof card>): readonly string[] {
  return [
    ...given.supportedInterfaces
      .filter(({ protocolBinding }) => protocolBinding.toUpperCase() === JSONRPC)
      .filter(({ protocolVersion }) => /^(?:0\.|$)/.test(protocolVersion))
      .map(({ url }) => url),
    ...(given.url != null && given.preferredTransport.toUpperCase() === JSONRPC ? [given.url] : []),
    ...given.additionalInterfaces.filter((one) => one.transport.toUpperCase() === JSONRPC).map(({ url }) => url),
  ];
}

function clean(value: string, maxLength: number): string {
  return value.replaceAll("\0", "").slice(0, maxLength).toWellFormed();
}
