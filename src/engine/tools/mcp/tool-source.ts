import { MCP_TOOL_PREFIX, mcpToolName, modelToolName, readMcpToolName } from "#domain/tools/mcp-server.ts";
import { describeIssue } from "#domain/errors.ts";
import { issuesOf } from "#domain/invalid.ts";
import { serviceIn } from "#domain/access/role.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { findMcpToolOfAccount, findMcpTools } from "#db/queries/mcp-servers/mcp-tools.ts";
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
export function createMcpTools(services: McpToolServices, connections: McpConnections): ToolSource {
  return {
    prefix: MCP_TOOL_PREFIX,
    async find({ workspaceId, subjectId: runId }, given) {
      const tenant = serviceIn(workspaceId);
      const names = given.flatMap((name) => readMcpToolName(name) ?? []);
      const rows = await findMcpTools(services.db, { workspaceId, runId, names });
      for (const server of new Map(rows.map((row) => [row.id, row])).values())
        if (server.oauth === null) connections.prepare({ tenant, server });
      return rows.map((row) => toTool({ ...services, workspaceId, connections }, row));
    },
  };
}

/** The arguments of a tool that no account tells of yet. */
const UNKNOWN = { type: "object" };

/** The services of these tools, and the URL under which people reach the console. */
export interface McpToolServices extends McpServices {
  readonly publicUrl: string;
}

interface ToolServices extends McpToolServices {
  readonly workspaceId: string;
  readonly connections: McpConnections;
}

function toTool(services: ToolServices, row: ListedMcpTool): Tool {
  const name = { server: row.name, tool: row.tool_name };
  const { tool_description: description } = row;
  const schema = row.tool_schema ?? UNKNOWN;
  return defineTool({
    name: modelToolName(name),
    listedAs: mcpToolName(name),
    description:
      description ??
      `A tool of ${row.name}. Its description needs an account that is not connected yet; a call asks for it.`,
    inputSchema: schema,
    input: argumentsFor(services, { workspaceId: services.workspaceId, parameters: schema }),
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
  if (account !== undefined && "missing" in account) return askForAccount(services.publicUrl, asked, account.missing);
  const metadata = { ...context.delegationMetadata, ...(traceparent !== undefined && { [TRACEPARENT]: traceparent }) };
  const request = { args, idempotencyKey, metadata, signal };
  try {
    const result = await services.connections.use({ tenant, server: row, account }, signal, async (connection) => {
      const inputSchema = account?.userId == null ? row.tool_schema : await schemaOf(services, asked, account.id);
      const tool = { name: row.tool_name, inputSchema: inputSchema ?? UNKNOWN };
      const lines = showProgress(progress, connection.secrets);
      return callMcpTool(connection, { ...request, tool, onProgress: lines.report }).finally(lines.end);
    });
    if (result.isError) throw new Error(cutText(result.content.map(describeContent).join("\n")) || "The tool failed.");
    return await toToolOutput(result.content, context);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof McpServerError)) throw error;
    // A server rejects a lost account before it does anything.
    const now = account && (await accountOfCall(services, tenant, asked));
    if (now !== undefined && "missing" in now) return askForAccount(services.publicUrl, asked, now.missing);
    throw error;
  }
}

/**
 * The schema of the tool that a person's account shows; the model may have read that of another account.
 * @throws Error for the model when the account shows no such tool, or the arguments do not fit
 */
async function schemaOf(services: ToolServices, { row, args }: McpCall, accountId: string) {
  const shown = await findMcpToolOfAccount(services.db, accountId, row.tool_name);
  if (shown === undefined) throw new Error(`The account at ${row.name} has no tool ${row.tool_name}.`);
  if (shown.hash === row.tool_hash) return shown.schema;
  const { workspaceId } = services;
  const checked = await argumentsFor(services, { workspaceId, parameters: shown.schema }).safeParseAsync(args);
  if (checked.success) return shown.schema;
  const issues = issuesOf(checked.error).map(describeIssue).join("; ");
  throw new Error(`The arguments do not fit the tool's schema: ${JSON.stringify(shown.schema)}. ${issues}`);
}
