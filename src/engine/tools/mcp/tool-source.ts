import { MCP_TOOL_PREFIX, mcpToolName, modelToolName, readMcpToolName } from "#domain/tools/mcp-server.ts";
import { serviceIn } from "#domain/access/role.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { findMcpTools } from "#db/queries/mcp-servers/mcp-tools.ts";
import type { ListedMcpTool } from "#db/queries/mcp-servers/mcp-tools.ts";
import { cutText } from "#lib/http/cut-text.ts";
import { callMcpTool } from "#operations/mcp-servers/call.ts";
import type { McpServices } from "#operations/mcp-servers/connect.ts";
import { describeContent } from "#operations/tools/describe-content.ts";
import { McpServerError } from "#protocols/mcp/mcp-server-error.ts";
import { accountOfCall, askForAccount } from "./call-account.ts";
import type { McpCall } from "./call-account.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Pause, Tool, ToolOutput } from "#tools/define-tool.ts";
import { argumentsFor } from "../tool-arguments.ts";
import { toToolOutput } from "../tool-output.ts";
import type { ToolSource } from "../tool-registry.ts";
import type { McpConnections } from "./connections.ts";
import { showProgress } from "./show-progress.ts";

/** The tools of workspaces' MCP servers. */
export function createMcpTools(services: McpServices, connections: McpConnections): ToolSource {
  return {
    prefix: MCP_TOOL_PREFIX,
    async find(workspaceId, names) {
      const tenant = serviceIn(workspaceId);
      const asked = names.flatMap((name) => readMcpToolName(name) ?? []);
      const rows = await findMcpTools(services.db.inWorkspace(tenant), asked);
      for (const server of new Map(rows.map((row) => [row.id, row])).values())
        if (server.oauth === null) connections.prepare({ tenant, server });
      return rows.map((row) => toTool({ ...services, workspaceId, connections }, row));
    },
  };
}

interface ToolServices extends McpServices {
  readonly workspaceId: string;
  readonly connections: McpConnections;
}

function toTool(services: ToolServices, row: ListedMcpTool): Tool {
  const name = { server: row.name, tool: row.tool_name };
  return defineTool({
    name: modelToolName(name),
    listedAs: mcpToolName(name),
    description: row.tool_description,
    inputSchema: row.tool_schema,
    input: argumentsFor(services, { workspaceId: services.workspaceId, parameters: row.tool_schema }),
    timeoutMs: row.timeout_ms,
    passesArguments: true,
    execute: (args, context) => call(services, { row, args, context }),
  });
}

async function call(services: ToolServices, asked: McpCall): Promise<ToolOutput | Pause> {
  const { row, args, context } = asked;
  const { idempotencyKey, signal, progress, traceparent } = context;
  const tenant = serviceIn(services.workspaceId);
  const account = await accountOfCall(services, tenant, asked);
  if (account !== undefined && "missing" in account) return askForAccount(asked, account.missing);
  const tool = { name: row.tool_name, inputSchema: row.tool_schema };
  const metadata = { ...context.delegationMetadata, ...(traceparent !== undefined && { [TRACEPARENT]: traceparent }) };
  const request = { tool, args, idempotencyKey, metadata, signal };
  try {
    const result = await services.connections.use({ tenant, server: row, account }, signal, (connection) => {
      const lines = showProgress(progress, connection.secrets);
      return callMcpTool(connection, { ...request, onProgress: lines.report }).finally(lines.end);
    });
    if (result.isError) throw new Error(cutText(result.content.map(describeContent).join("\n")) || "The tool failed.");
    return await toToolOutput(result.content, context);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof McpServerError)) throw error;
    // A server rejects a lost account before it does anything.
    const now = account && (await accountOfCall(services, tenant, asked));
    if (now !== undefined && "missing" in now) return askForAccount(asked, now.missing);
    throw error;
  }
}
