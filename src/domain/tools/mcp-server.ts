import { createHash } from "node:crypto";
import { z } from "zod";
import { requestHeaders } from "#lib/http/request-headers.ts";
import { mcpOAuth } from "./mcp-account.ts";

/**
 * The prefix of an MCP tool's name in an agent's `tools`, followed by the server's name, a slash and the tool's name.
 */
export const MCP_TOOL_PREFIX = "mcp:";

const MAX_SERVER_NAME = 32;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 600_000;
/** The function names that every provider accepts: 64 of these characters, a letter first. */
const MAX_MODEL_NAME = 64;
const HASH_DIGITS = 8;
const NOT_IN_MODEL_NAME = /[^A-Za-z0-9_-]/g;

const fields = z.strictObject({
  // No hyphen at the end and no two in a row, so that `modelToolName` is unambiguous.
  name: z
    .string()
    .max(MAX_SERVER_NAME)
    .regex(/^[a-z][a-z0-9]*([_-][a-z0-9]+)*$/, "must be lower-case letters and digits with single - or _ between")
    .describe("Used in tool names: mcp:<name>/<tool>. It cannot be changed later."),
  url: z
    .url({ protocol: /^https?$/, message: "must be an http or https URL" })
    .max(2_000)
    .describe("Its endpoint, over streamable HTTP or SSE."),
  headers: requestHeaders.describe("Headers of every request, such as keys; stored encrypted, never shown."),
  timeout_ms: z.int().min(100).max(MAX_TIMEOUT_MS).describe("The timeout of a call, in milliseconds."),
  is_enabled: z.boolean().describe("Whether agents can use its tools."),
  on_change: z
    .enum(["use", "hold"])
    .describe("Whether tools that the server changes or adds later are used, or held until an admin approves them."),
  oauth: mcpOAuth
    .nullable()
    .describe("How people sign in to it by OAuth; null without. After a change, accounts must be connected again."),
});

/** The body of POST /console/api/mcp-servers. */
export const mcpServerCreate = fields.extend({
  headers: fields.shape.headers.default({}),
  timeout_ms: fields.shape.timeout_ms.default(DEFAULT_TIMEOUT_MS),
  is_enabled: fields.shape.is_enabled.default(true),
  on_change: fields.shape.on_change.default("use"),
  oauth: fields.shape.oauth.default(null),
});

/** An MCP server to register, validated. */
export type McpServerCreate = Readonly<z.output<typeof mcpServerCreate>>;

/** The body of PATCH /console/api/mcp-servers/:id. */
export const mcpServerPatch = fields
  .omit({ name: true })
  .extend({
    headers: z
      .record(z.string(), z.string().max(8_000))
      .describe("Replaces all headers; a value sent back masked is kept."),
    approve_tools: z
      .record(z.string().max(200), z.string().max(100))
      .describe("Held tools to approve: their names and hashes, as they are listed."),
  })
  .partial()
  .describe("The fields to change.");

/** Changes to an MCP server, validated. */
export type McpServerPatch = Readonly<z.output<typeof mcpServerPatch>>;

/** The body of POST /console/api/mcp-servers/discover. */
export const mcpDiscovery = mcpServerCreate.pick({ url: true, headers: true });

/** Fields that a client may send back from a record; they are ignored. */
export const MCP_SERVER_READ_ONLY = [
  "id",
  "workspace_id",
  "server_name",
  "server_version",
  "protocol_version",
  "transport",
  "tool_count",
  "tools_fetched_at",
  "last_error",
  "account_status",
  "account_error",
  "created_by",
  "created_at",
  "updated_at",
] as const;

/** The name of an MCP tool in an agent's `tools`. */
export interface McpToolName {
  readonly server: string;
  readonly tool: string;
}

/** Parses an MCP tool's name in an agent's `tools`; undefined for any other name. */
export function readMcpToolName(name: string): McpToolName | undefined {
  if (!name.startsWith(MCP_TOOL_PREFIX)) return undefined;
  const slash = name.indexOf("/");
  const server = name.slice(MCP_TOOL_PREFIX.length, slash);
  const tool = name.slice(slash + 1);
  return slash === -1 || server === "" || tool === "" ? undefined : { server, tool };
}

/** Returns the name of an MCP tool for an agent's `tools`. */
export function mcpToolName({ server, tool }: McpToolName): string {
  return `${MCP_TOOL_PREFIX}${server}/${tool}`;
}

/**
 * Returns the name of an MCP tool for models: `<server>--<tool>`. A name that providers would reject is shortened and
 * ends with a hash of the whole, so that two tools never share a name.
 */
export function modelToolName({ server, tool }: McpToolName): string {
  const whole = `${server}--${tool}`;
  const allowed = whole.replaceAll(NOT_IN_MODEL_NAME, "_");
  if (allowed === whole && whole.length <= MAX_MODEL_NAME) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, HASH_DIGITS);
  return `${allowed.slice(0, MAX_MODEL_NAME - HASH_DIGITS - 1)}_${hash}`;
}

/** The row to which encrypted headers are bound. */
export function mcpServerContext(workspaceId: string, id: string): string {
  return `mcp_servers:${workspaceId}:${id}`;
}
