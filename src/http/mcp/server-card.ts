import { isIP } from "node:net";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { VERSION } from "#domain/version.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { originOf } from "../middleware/origin.ts";
import { setHeader } from "../middleware/set-header.ts";
import { MCP_PATH, SERVER_CARD } from "./resource.ts";

const TYPE = "application/mcp-server-card+json";
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
/** The newest revision has no handshake, and so is not in the SDK's list of those that have. */
const REVISIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS];

/** Responds with the card of the MCP endpoint (https://modelcontextprotocol.io/seps/2127-mcp-server-cards). */
export function respondCard(services: HttpServices, c: HttpContext): Response {
  const origin = originOf(c, services);
  return respondPublic(c, TYPE, {
    $schema: SCHEMA,
    name: `${reversed(new URL(origin).hostname)}${MCP_PATH}`,
    version: VERSION,
    title: services.serviceName,
    description: "AI agents as tools: send one a message; it replies when its work is done.",
    remotes: [{ type: "streamable-http", url: origin + MCP_PATH, supportedProtocolVersions: REVISIONS }],
  });
}

/** Responds with the list of this host's cards, by which clients find {@link respondCard}. */
export function respondCatalog(services: HttpServices, c: HttpContext): Response {
  const origin = originOf(c, services);
  const identifier = `urn:air:${new URL(origin).hostname}:${MCP_PATH.slice(1)}`;
  const entry = { identifier, displayName: services.serviceName, type: TYPE, url: origin + SERVER_CARD };
  return respondPublic(c, "application/json", { specVersion: "draft", entries: [entry] });
}

function respondPublic(c: HttpContext, type: string, document: object): Response {
  setHeader(c, "Cache-Control", "public, max-age=3600");
  return c.body(JSON.stringify(document), 200, { "Content-Type": type });
}

/** The name of a host as names of cards begin: `com.example`. */
function reversed(hostname: string): string {
  return isIP(hostname) === 0 ? hostname.split(".").toReversed().join(".") : hostname.replaceAll(/[[\]:]/g, "");
}
