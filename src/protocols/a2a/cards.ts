import { ACCEPTED_TYPES } from "#domain/files/media-type.ts";
import type { CardSigner } from "./sign-card.ts";
import type { CardAgent } from "#domain/agents/card-agent.ts";

/** What the HTTP+JSON endpoint of the instance has in the place of an agent's id. */
export const INSTANCE = "rest";
const NAME = "Muster";
const VERSION = "1.0.0";
const OUTPUT_MODES = ["text/plain", "application/json"];

/** The data of a card. */
export interface CardSource {
  /** The agents that it lists as skills. */
  readonly agents: readonly CardAgent[];
  /** The agent of the card; undefined for the card of the instance. */
  readonly of: CardAgent | undefined;
  /** The endpoint of its methods. */
  readonly url: string;
  /** Whether it lists the agents' tools, which only callers with a key may see. */
  readonly detail: "public" | "extended";
}

/** Returns the source of an agent's public card. */
export function sourceOfAgent(agent: CardAgent, baseUrl: string): CardSource {
  return { agents: [agent], of: agent, url: `${baseUrl}/a2a/${agent.id}`, detail: "public" };
}

/** Returns the source of the instance's public card, with these agents as its skills. */
export function sourceOfInstance(agents: readonly CardAgent[], baseUrl: string): CardSource {
  return { agents, of: undefined, url: `${baseUrl}/a2a`, detail: "public" };
}

/** How cards are signed: by whom, and where the public key is. */
export interface Signing {
  readonly signer: CardSigner;
  readonly keysUrl: string;
}

/** Renders a card for clients of 0.3 and of both versions: the fields of 0.3, and the interfaces of 1.0. */
export function hybridCard(source: CardSource, signing: Signing) {
  const current = { ...commonFields(source), supportedInterfaces: interfaces(source) };
  const card = {
    ...current,
    protocolVersion: "0.3.0",
    url: source.url,
    preferredTransport: "JSONRPC",
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    security: [{ bearer: [] }],
  };
  return signed(card, current, signing);
}

/** Renders a card of A2A 1.0 only. */
export function strictCard(source: CardSource, signing: Signing) {
  const current = { ...commonFields(source), supportedInterfaces: interfaces(source) };
  const card = {
    ...current,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
  return signed(card, current, signing);
}

/**
 * Signs a card twice: as a whole, and without what the official client for TypeScript leaves out of what it verifies
 * (the security schemes, and the fields of 0.3).
 */
function signed<Card extends object>(card: Card, current: object, { signer, keysUrl }: Signing) {
  return signer.sign(card, { payloads: [card, current], keysUrl });
}

/** Returns when the newest of a card's agents was changed; undefined for a card without agents. */
export function lastModified({ agents }: CardSource): Date | undefined {
  if (agents.length === 0) return undefined;
  return new Date(Math.max(...agents.map(({ updated_at }) => Date.parse(updated_at))));
}

function commonFields({ agents, of, detail }: CardSource) {
  return {
    name: of?.name ?? NAME,
    description: of === undefined ? "AI agents of this Muster instance; each is a skill." : descriptionOf(of),
    version: of === undefined ? VERSION : `${of.version}.0.0`,
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ACCEPTED_TYPES,
    defaultOutputModes: OUTPUT_MODES,
    skills: agents.map((agent) => ({
      id: agent.id,
      name: agent.name,
      description: descriptionOf(agent),
      tags: detail === "public" ? agent.tags : [...agent.tags, ...agent.tools],
    })),
  };
}

function descriptionOf({ name, description }: CardAgent): string {
  return description === "" ? `The agent ${name}.` : description;
}

function interfaces({ url, of }: CardSource) {
  const rest = of === undefined ? `${url}/${INSTANCE}` : url;
  return [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: rest, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ];
}
