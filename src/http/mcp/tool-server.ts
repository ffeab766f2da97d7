import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { JSONRPCRequest, McpRequestContext, Result, ServerContext, Tool } from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import { AppError } from "#domain/errors.ts";
import type { PublishedTool } from "#domain/tools/mcp-tools.ts";
import { VERSION } from "#domain/version.ts";
import { clientOf } from "#operations/conversations/mcp-calls.ts";
import { listPublishedTools } from "#operations/conversations/published-agents.ts";
import { asUnavailable } from "#operations/unavailable.ts";
import type { HttpWorkspace } from "../context.ts";
import { callTool, toolCall } from "./call-tool.ts";
import { TASKS_EXTENSION, traitsOf } from "./client-traits.ts";
import { addTaskMethods } from "./task-methods.ts";

/** The published agents depend on the key; a client may cache the list for this long. */
const LIST_TTL_MS = 60_000;

const INPUT_SCHEMA = {
  type: "object",
  properties: { message: { type: "string", minLength: 1, description: "The task for the agent." } },
  required: ["message"],
  additionalProperties: false,
} as const satisfies Tool["inputSchema"];

/** How each generation is told that calls may become tasks. */
const TASKS = {
  modern: { extensions: { [TASKS_EXTENSION]: {} } },
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
} as const;

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * The SDK admits no tasks as results of calls: such a result passes as it is. It would show clients the message of any
 * error.
 */
class ToolServer extends Server {
  log: Logger | undefined;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = method === "tools/call" ? handler : super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw context.mcpReq.signal.aborted ? error : rpcError(error, this.log);
      }
    };
  }
}

/** What a client is told of an error: a caller's mistake, an outage, or that it is ours, which is logged. */
function rpcError(error: unknown, log: Logger | undefined): unknown {
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError) return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  const outage = asUnavailable(error);
  if (outage === undefined) log?.error({ err: error }, "an MCP request failed");
  return new ProtocolError(ProtocolErrorCode.InternalError, outage?.message ?? "Internal error.");
}

/** Creates a server for one request: its tools are the published agents of the caller's workspace. */
export function createToolServer(workspace: HttpWorkspace, request: McpRequestContext): Server {
  const { era } = request;
  const server = new ToolServer(
    { name: "muster", title: "Muster", version: VERSION },
    {
      capabilities: { tools: { listChanged: true }, ...TASKS[era] },
      instructions: "Each tool is an AI agent: send it a message; it replies when its work is done.",
    },
  );
  server.log = workspace.log;
  server.setRequestHandler("tools/list", async () => {
    const tools = await listPublishedTools(workspace);
    return { tools: tools.map(describeTool), ttlMs: LIST_TTL_MS, cacheScope: "private" };
  });
  server.setNotificationHandler("notifications/cancelled", ({ params: { requestId } }) => {
    if (requestId !== undefined) workspace.clientCalls.cancel({ keyId: clientOf(workspace.who), requestId });
  });
  addTaskMethods(server, workspace, request);
  server.setRequestHandler("tools/call", { params: toolCall }, (params, context) =>
    callTool(workspace, params, { server, context, era, traits: traitsOf(request, context) }),
  );
  return server;
}

function describeTool({ name, agent }: PublishedTool): Tool {
  const description = agent.description === "" ? `Sends a message to the agent ${agent.name}.` : agent.description;
  return { name, title: agent.name, description, inputSchema: INPUT_SCHEMA, execution: { taskSupport: "optional" } };
}
