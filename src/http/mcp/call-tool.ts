import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { CallToolResult, InputRequiredResult, Result, Server, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { invalid, issuesOf } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { requireScope } from "#domain/access/principal.ts";
import type { PublishedTool } from "#domain/tools/mcp-tools.ts";
import { TRACEPARENT } from "#domain/traces/trace-context.ts";
import { bindWorkspace } from "#operations/workspace.ts";
import { callAgent, resumeCall, startCall } from "#operations/conversations/call-agent.ts";
import type { CallOutcome, CallWatch, NewCall } from "#operations/conversations/call-agent.ts";
import { clientOf, readCall } from "#operations/conversations/mcp-calls.ts";
import { listPublishedTools } from "#operations/conversations/published-agents.ts";
import type { HttpWorkspace } from "../context.ts";
import { countStarts } from "../middleware/rate-limit.ts";
import { MAX_OPEN, readCallState, writeCallState } from "./call-state.ts";
import type { CallState } from "./call-state.ts";
import type { ClientTraits } from "./client-traits.ts";
import { describeForm } from "./elicitation.ts";
import { answerFrom } from "./input-responses.ts";
import { askOnStream } from "./ask-on-stream.ts";
import { startProgress } from "./progress.ts";
import { createdTask } from "./task-shapes.ts";

/** The request of a tool call. */
export const toolCall = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
  /** Of earlier revisions: the client wants a task. */
  task: z.looseObject({}).optional(),
});

const toolInput = z.strictObject({ message: z.string().min(1) });

/** A server's request, and what its client supports. */
export interface CallContext {
  readonly server: Server;
  readonly context: ServerContext;
  readonly traits: ClientTraits;
  readonly era: "legacy" | "modern";
}

/**
 * Calls an agent: runs it completely, or returns the task for it. An error that the calling model can correct is a
 * result with `isError`.
 */
export async function callTool(
  workspace: HttpWorkspace,
  params: z.output<typeof toolCall>,
  call: CallContext,
): Promise<Result> {
  const tool = (await listPublishedTools(workspace)).find(({ name }) => name === params.name);
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  const input = toolInput.safeParse(params.arguments ?? {}, { error: plainMessage });
  if (!input.success) return failure(invalid("arguments", issuesOf(input.error)).message);
  try {
    requireScope(workspace.who, "write");
    const state = stateOf(call);
    if (state !== undefined) return await goOn(workspace, { tool, state, call });
    await countStarts(workspace);
    const bound = inTrace(workspace, params._meta);
    const started = { agentId: tool.agent.id, message: input.data.message, metadata: params._meta };
    return isTask(params, call) ? await asTask(bound, started, call) : await run(bound, started, call);
  } catch (error) {
    if (error instanceof AppError) return failure(error.message);
    throw error;
  }
}

function isTask({ task }: z.output<typeof toolCall>, { era, traits }: CallContext): boolean {
  return era === "modern" ? traits.hasTasks : task !== undefined;
}

async function asTask(workspace: HttpWorkspace, started: NewCall, { era }: CallContext): Promise<Result> {
  return createdTask(await readCall(workspace, await startCall(workspace, started)), era);
}

async function run(workspace: HttpWorkspace, started: NewCall, call: CallContext): Promise<Result> {
  const outcome = await watched(workspace, call, [], (watch) => callAgent(workspace, { ...started, ...watch }));
  return resultOf(outcome, []);
}

/** The next round of a call that asked its client. */
async function goOn(
  workspace: HttpWorkspace,
  { tool, state, call }: { readonly tool: PublishedTool; readonly state: CallState; readonly call: CallContext },
): Promise<Result> {
  const known = await readCall(workspace, state.taskId).catch(unknownState);
  if (known.agent_id !== tool.agent.id) throw invalidState();
  const open = [...state.open, ...(await answerFrom(workspace, known, call.context).catch(askAgain))];
  const { lastSeen } = state;
  const outcome = await watched(workspace, call, open, (watch) =>
    resumeCall(workspace, { ...watch, call: known, lastSeen }),
  );
  return resultOf(outcome, open);
}

function unknownState(error: unknown): never {
  throw error instanceof AppError && error.code === "not_found" ? invalidState() : error;
}

/** What does not match the question is asked for again. */
function askAgain(error: unknown): readonly string[] {
  if (error instanceof AppError && error.code === "bad_request") return [];
  throw error;
}

/** Follows a call with progress, questions, and the client's cancellation. @param open questions that the client leaves to others */
async function watched(
  workspace: HttpWorkspace,
  { server, context, traits, era }: CallContext,
  open: readonly string[],
  work: (watch: CallWatch) => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const { id: requestId, signal } = context.mcpReq;
  const progress = startProgress(context.mcpReq);
  const ask = askOnStream(server, requestId, "call");
  const onQuestion: CallWatch["onQuestion"] = (question, taskId) =>
    era === "modern" ? !open.includes(question.key) : ask(question, taskId);
  try {
    return await workspace.clientCalls.during({ keyId: clientOf(workspace.who), requestId }, signal, (cancelled) =>
      work({
        signal: cancelled,
        onEvents: progress?.report,
        onQuestion: traits.elicits ? onQuestion : undefined,
      }),
    );
  } finally {
    progress?.stop();
  }
}

function resultOf(outcome: CallOutcome, open: readonly string[]): CallToolResult | InputRequiredResult {
  if (outcome.status === "failed") return failure(outcome.text);
  if (outcome.status !== "asking") return { content: [{ type: "text", text: outcome.text }] };
  const { taskId, lastSeen, question } = outcome;
  return {
    resultType: "input_required",
    inputRequests: { [question.key]: { method: "elicitation/create", params: describeForm(question) } },
    requestState: writeCallState({ taskId, asked: question.key, lastSeen, open: open.slice(-MAX_OPEN) }),
  };
}

function stateOf({ context: { mcpReq } }: CallContext): CallState | undefined {
  const text = mcpReq.requestState();
  if (text === undefined) return undefined;
  const state = typeof text === "string" ? readCallState(text) : undefined;
  if (state === undefined) throw invalidState();
  return state;
}

function invalidState(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "requestState is not that of a call of this tool.");
}

/** The call's own trace counts, not that of the connection. */
function inTrace(workspace: HttpWorkspace, meta: Readonly<Record<string, unknown>> | undefined): HttpWorkspace {
  const traceparent = meta?.[TRACEPARENT];
  return typeof traceparent === "string" ? bindWorkspace(workspace, { ...workspace.who, traceparent }) : workspace;
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
