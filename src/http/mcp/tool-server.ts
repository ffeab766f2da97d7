import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolRequest, CallToolResult, ServerContext, Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { invalid, issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import type { PublishedTool } from "#domain/tools/mcp-tools.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { VERSION } from "#domain/version.ts";
import { bindWorkspace } from "#operations/workspace.ts";
import { callAgent } from "#operations/conversations/call-agent.ts";
import { listPublishedTools } from "#operations/conversations/published-agents.ts";
import { countStarts } from "../middleware/rate-limit.ts";
import { startProgress } from "./progress.ts";
import type { Progress } from "./progress.ts";
import type { HttpWorkspace } from "../context.ts";

/** The published agents depend on the key; a client may cache the list for this long. */
const LIST_TTL_MS = 60_000;

const toolInput = z.strictObject({ message: z.string().min(1) });
const INPUT_SCHEMA = {
  type: "object",
  properties: { message: { type: "string", minLength: 1, description: "The task for the agent." } },
  required: ["message"],
  additionalProperties: false,
} as const satisfies Tool["inputSchema"];

/** Creates a server for one request: its tools are the published agents of the caller's workspace. */
export function createToolServer(workspace: HttpWorkspace): Server {
  const server = new Server(
    { name: "muster", title: "Muster", version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: "Each tool is an AI agent: send it a message; it replies when its work is done.",
    },
  );
  server.setRequestHandler("tools/list", async () => {
    const tools = await listPublishedTools(workspace);
    return { tools: tools.map(describeTool), ttlMs: LIST_TTL_MS, cacheScope: "private" };
  });
  server.setNotificationHandler("notifications/cancelled", ({ params: { requestId } }) => {
    if (requestId !== undefined) workspace.clientCalls.cancel({ keyId: clientOf(workspace.who), requestId });
  });
  server.setRequestHandler("tools/call", ({ params }, context) => callTool(workspace, { params, context }));
  return server;
}

function describeTool({ name, agent }: PublishedTool): Tool {
  const description = agent.description === "" ? `Sends a message to the agent ${agent.name}.` : agent.description;
  return { name, title: agent.name, description, inputSchema: INPUT_SCHEMA };
}

interface ToolCall extends Pick<CallToolRequest, "params"> {
  readonly context: ServerContext;
}

/** Runs the agent completely. An error that the calling model can correct is a result with `isError`. */
async function callTool(workspace: HttpWorkspace, call: ToolCall): Promise<CallToolResult> {
  const { params, context } = call;
  const tool = (await listPublishedTools(workspace)).find(({ name }) => name === params.name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  const input = toolInput.safeParse(params.arguments ?? {}, { error: plainMessage });
  if (!input.success) return failure(invalid("arguments", issuesOf(input.error)).message);
  let progress: Progress | undefined;
  try {
    requireScope(workspace.who, "write");
    await countStarts(workspace);
    progress = startProgress(context.mcpReq);
    const { message } = input.data;
    const { id: requestId, signal } = context.mcpReq;
    const { status, text } = await workspace.clientCalls.during(
      { keyId: clientOf(workspace.who), requestId },
      signal,
      (cancelled) =>
        callAgent(inTrace(workspace, params._meta), {
          agentId: tool.agent.id,
          message,
          metadata: params._meta,
          signal: cancelled,
          onEvents: progress?.report,
        }),
    );
    return status === "failed" ? failure(text) : { content: [{ type: "text", text }] };
  } catch (error) {
    if (error instanceof AppError) return failure(error.message);
    throw error;
  } finally {
    progress?.stop();
  }
}

/** The call's own trace counts, not that of the connection. */
function inTrace(workspace: HttpWorkspace, meta: CallToolRequest["params"]["_meta"]): HttpWorkspace {
  const traceparent = meta?.[TRACEPARENT];
  return typeof traceparent === "string" ? bindWorkspace(workspace, { ...workspace.who, traceparent }) : workspace;
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Returns the scope of cancellation: a key, or a signed-in person. */
function clientOf({ keyId, userId }: Principal): string {
  return keyId ?? userId;
}
