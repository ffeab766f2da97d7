import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import type { McpRequestContext, Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { resumeCall } from "#operations/conversations/call-agent.ts";
import { cancelCall, listCalls, readCall } from "#operations/conversations/mcp-calls.ts";
import type { HttpWorkspace } from "../context.ts";
import { askOnStream } from "./ask-on-stream.ts";
import { NEEDS_TASKS, traitsOf } from "./client-traits.ts";
import type { ClientTraits } from "./client-traits.ts";
import { answerFrom } from "./input-responses.ts";
import { detailedTask, legacyTask, resultOf } from "./task-shapes.ts";

const ofTask = z.looseObject({ taskId: z.string() });
const page = z.looseObject({ cursor: z.string().optional() });
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** Adds the methods by which clients find the tasks of their calls again. */
export function addTaskMethods(server: Server, workspace: HttpWorkspace, request: McpRequestContext): void {
  if (request.era === "modern") addExtension(server, workspace, request);
  else addEarlier(server, workspace, request);
}

/** The extension for 2026-07-28 (https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html). */
function addExtension(server: Server, workspace: HttpWorkspace, request: McpRequestContext): void {
  server.setRequestHandler("tasks/get", { params: ofTask }, async (params, context) => {
    const traits = requireTasks(request, context);
    return detailedTask(await readCall(workspace, params.taskId), traits);
  });
  server.setRequestHandler("tasks/update", { params: ofTask }, async (params, context) => {
    requireTasks(request, context);
    await answerFrom(workspace, await readCall(workspace, params.taskId), context);
    return {};
  });
  server.setRequestHandler("tasks/cancel", { params: ofTask }, async (params, context) => {
    requireTasks(request, context);
    await cancelCall(workspace, await readCall(workspace, params.taskId));
    return {};
  });
}

/** The tasks of 2025-11-25 (https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks). */
function addEarlier(server: Server, workspace: HttpWorkspace, request: McpRequestContext): void {
  server.setRequestHandler("tasks/get", { params: ofTask }, async ({ taskId }) => ({
    ...legacyTask(await readCall(workspace, taskId)),
  }));
  server.setRequestHandler("tasks/list", { params: page }, async ({ cursor }) => {
    const { calls, nextCursor } = await listCalls(workspace, cursor);
    return { tasks: calls.map(legacyTask), ...(nextCursor !== undefined && { nextCursor }) };
  });
  server.setRequestHandler("tasks/result", { params: ofTask }, async ({ taskId }, context) => {
    await waitForResult(server, workspace, { taskId, context, traits: traitsOf(request, context) });
    const _meta = { [RELATED_TASK]: { taskId } };
    return { ...resultOf(await readCall(workspace, taskId)), _meta };
  });
  server.setRequestHandler("tasks/cancel", { params: ofTask }, async ({ taskId }) => {
    const call = await readCall(workspace, taskId);
    if (isTerminal(call.status)) throw new AppError("conflict", `The task is ${call.status} already.`);
    await cancelCall(workspace, call);
    return { ...legacyTask(await readCall(workspace, taskId)) };
  });
}

/** Waits for the end of a task and asks the client meanwhile. A client that leaves does not cancel its task. */
async function waitForResult(
  server: Server,
  workspace: HttpWorkspace,
  of: { readonly taskId: string; readonly context: ServerContext; readonly traits: ClientTraits },
): Promise<void> {
  const { taskId, context, traits } = of;
  const call = await readCall(workspace, taskId);
  await resumeCall(workspace, {
    call,
    lastSeen: undefined,
    signal: context.mcpReq.signal,
    leaves: "running",
    onEvents: undefined,
    onQuestion: traits.elicits ? askOnStream(server, context.mcpReq.id, "task") : undefined,
  });
}

/** @throws MissingRequiredClientCapabilityError */
function requireTasks(request: McpRequestContext, context: ServerContext): ClientTraits {
  const traits = traitsOf(request, context);
  if (traits.hasTasks) return traits;
  throw new MissingRequiredClientCapabilityError(NEEDS_TASKS);
}
