import type { CallToolResult, Result, Task } from "@modelcontextprotocol/server";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { isTerminal } from "#domain/tasks/task-status.ts";
import { endOf } from "#operations/conversations/call-agent.ts";
import type { McpCall } from "#operations/conversations/mcp-calls.ts";
import type { ClientTraits } from "./client-traits.ts";
import { describeForm } from "./elicitation.ts";

/** How often clients should look, in milliseconds. */
const POLL_MS = 1_000;

/** The first answer to a call that becomes a task. */
export function createdTask(call: McpCall, era: "legacy" | "modern"): Result {
  return era === "modern" ? { resultType: "task", ...stateOf(call, { elicits: false }) } : { task: legacyTask(call) };
}

/** A task as the extension describes it: with its result, or its questions to the client. */
export function detailedTask(call: McpCall, traits: Pick<ClientTraits, "elicits">): Result {
  const { question } = call;
  return {
    ...stateOf(call, traits),
    ...(call.status !== "cancelled" &&
      isTerminal(call.status) && { result: { resultType: "complete", ...resultOf(call) } }),
    ...(traits.elicits &&
      question !== undefined && {
        inputRequests: { [question.key]: { method: "elicitation/create", params: describeForm(question) } },
      }),
  };
}

/** A task as the revision 2025-11-25 describes it. */
export function legacyTask(call: McpCall): Task {
  const status = call.status === "failed" ? "failed" : statusOf(call, { elicits: true });
  return {
    taskId: call.id,
    status,
    ...messageOf(call),
    createdAt: call.created_at,
    lastUpdatedAt: call.changed_at,
    ttl: null,
    pollInterval: POLL_MS,
  };
}

/** The result of a call that has ended. */
export function resultOf(call: McpCall): CallToolResult {
  const { status, text } = endOf(call);
  return { content: [{ type: "text", text }], ...(status === "failed" && { isError: true }) };
}

function stateOf(call: McpCall, traits: Pick<ClientTraits, "elicits">) {
  return {
    taskId: call.id,
    status: statusOf(call, traits),
    ...messageOf(call),
    createdAt: call.created_at,
    lastUpdatedAt: call.changed_at,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

const STATUS = {
  pending: "working",
  dispatched: "working",
  running: "working",
  waiting_for_input: "working",
  completed: "completed",
  // The call itself succeeded: its result has isError.
  failed: "completed",
  cancelled: "cancelled",
} as const satisfies Record<TaskStatus, Task["status"]>;

/** A question that others answer is work in progress to the client. */
function statusOf({ status, question }: McpCall, { elicits }: Pick<ClientTraits, "elicits">): Task["status"] {
  return elicits && question !== undefined ? "input_required" : STATUS[status];
}

function messageOf({ waitsFor }: McpCall): { readonly statusMessage?: string } {
  return waitsFor === undefined ? {} : { statusMessage: waitsFor };
}
