import { z } from "zod";
import { ACCOUNT_KINDS } from "#domain/tools/mcp-account.ts";

/** An MCP server as the API shows it. */
export const mcpServerRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string().describe("Agents list its tools as mcp:<name>/<tool>."),
    url: z.string(),
    headers: z.record(z.string(), z.string()).describe("Values are masked, except for the last four characters."),
    timeout_ms: z.int(),
    is_enabled: z.boolean(),
    server_name: z.string().nullable().describe("The server's own name; server_version is its version."),
    server_version: z.string().nullable(),
    protocol_version: z.string().nullable().describe("The MCP revision in use; null before the first connection."),
    transport: z.enum(["streamable_http", "sse"]).nullable(),
    tool_count: z.int(),
    tools_fetched_at: z.iso.datetime(),
    last_error: z.string().nullable().describe("Why its tools could not be listed again; null when they could."),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    on_change: z
      .enum(["use", "hold"])
      .describe("Whether tools that the server changes or adds are used, or held until an admin approves them."),
    oauth: z
      .strictObject({
        account: z.enum(ACCOUNT_KINDS).describe("Whose account calls use: the workspace's, or each person's own."),
        scope: z.string().nullable(),
        client_id: z.string().nullable(),
      })
      .nullable()
      .describe("How people sign in to it by OAuth; null without."),
    account_status: z
      .enum(["missing", "connected", "lost"])
      .nullable()
      .describe("Of the workspace's account, or your own; lost: connect it again. Null without OAuth."),
    account_error: z.string().nullable().describe("Why the account is lost."),
  })
  .meta({ id: "McpServer" });

const fields = {
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  annotations: z
    .record(z.string(), z.unknown())
    .describe("The server's hints about the tool, such as destructiveHint."),
  issue: z.string().nullable().describe("Why agents cannot use it; null when they can."),
  hash: z.string().describe("Differs for each text, schema and set of annotations."),
};

/** A tool of a registered MCP server as the API shows it. */
export const mcpToolRecord = z
  .strictObject({
    ...fields,
    held: z.boolean().describe("Whether it waits for an admin's approval; issue says so, too."),
    agents_list_it_as: z.string().describe("Its name in an agent's tools and requires_approval."),
    models_call_it: z.string(),
  })
  .meta({ id: "McpTool" });

/** The tools and description of an unregistered MCP server. */
export const mcpDiscoveryResult = z
  .strictObject({
    server_name: mcpServerRecord.shape.server_name,
    server_version: mcpServerRecord.shape.server_version,
    protocol_version: mcpServerRecord.shape.protocol_version,
    transport: mcpServerRecord.shape.transport,
    tools: z.array(z.strictObject(fields)),
    needs_sign_in: z.boolean().describe("It lists its tools only for people who sign in: register it with oauth."),
  })
  .meta({ id: "McpDiscovery" });

/** The result of a tool's test. */
export const mcpTestResult = z
  .strictObject({
    status: z.enum(["success", "failed"]),
    duration_ms: z.int(),
    output: z.string().nullable().describe("The result that a model would get."),
    error: z.string().nullable(),
  })
  .meta({ id: "McpToolTest" });
