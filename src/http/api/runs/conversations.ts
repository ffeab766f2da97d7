import { z } from "zod";
import { REASONING_EFFORTS } from "#domain/models/model-catalogue.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import { listConversations, readTaskConversation } from "#operations/conversations/read-conversation.ts";
import { formatCursor, parseCursor } from "../shape/cursor.ts";
import { endpoint } from "../shape/endpoint.ts";
import { listQuery } from "../shape/list-query.ts";
import { respondConsolePage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { runHead } from "./run-head.ts";

const status = z.enum(TASK_STATUSES);
const named = z.strictObject({ id: z.uuid(), name: z.string() }).nullable();
const time = z.iso.datetime();

const row = z
  .strictObject({
    id: z.uuid().describe("The id of its task."),
    title: z.string().describe("The first line of its first message."),
    status,
    replies: z.int().describe("The number of its attempts, one for each message."),
    created_by: named,
    created_at: time,
    updated_at: time,
    cost_usd: z.number().describe("The cost of all replies."),
  })
  .meta({ id: "ConversationRow" });

const page = z
  .strictObject({ items: z.array(row), next_cursor: z.string().nullable() })
  .meta({ id: "ConversationPage" });

const turn = z.strictObject({
  message: z.string().nullable(),
  reply: z.string().nullable(),
  run: z
    .strictObject({ id: z.uuid(), attempt: z.int() })
    .nullable()
    .describe("The attempt that replied or tries to; null when a client sent the reply with the conversation."),
  attempt: z
    .strictObject({
      status: z.string().describe("completed, failed, cancelled or unknown; of the newest attempt, the run's status."),
      duration_ms: z.number().nullable().describe("null while it runs."),
      tokens: z.number(),
      cost_usd: z.number(),
      error: z.string().nullable(),
      version: z.int().nullable().describe("The agent's version; null when the agent was changed for this run."),
      reruns: z
        .array(z.strictObject({ id: z.uuid(), status, created_at: time }))
        .describe("The forks of this attempt, oldest first."),
    })
    .nullable()
    .describe("null for the turns of another run."),
});

const conversation = z
  .strictObject({
    id: z.uuid(),
    title: z.string(),
    status,
    agent: named,
    created_by: named,
    created_at: time,
    forked_from: runHead.shape.forked_from,
    changes: z
      .strictObject({
        version: z.int().nullable().describe("The version of the agent that has the other fields."),
        model: z.string().optional(),
        effort: z.enum(REASONING_EFFORTS).nullable().optional(),
        temperature: z.number().nullable().optional(),
        system_prompt: z.string().optional(),
      })
      .nullable()
      .describe("The fields of the agent that have other values in this run, which is a fork."),
    turns: z.array(turn).describe("The messages in order, each with its reply."),
  })
  .meta({ id: "Conversation" });

/** Adds the conversations with agents: their list, and a task as a conversation. */
export default function addConversations(api: Api): void {
  addPath(api, "/console/api/agents/{id}/conversations", { tag: "Runs", endpoints: [list] });
  addPath(api, "/console/api/runs/{id}/conversation", { tag: "Runs", endpoints: [read] });
}

const list = endpoint({
  method: "get",
  operationId: "listConversations",
  summary: "List the conversations that people hold with an agent in the console, newest first",
  params: idQuery,
  query: listQuery.pick({ limit: true, cursor: true }),
  success: { status: 200, schema: page },
  async handle({ c, workspace, params, query: { limit, cursor } }) {
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const { items, next } = await listConversations(workspace, { agentId: params.id, limit, after });
    return respondConsolePage(c, items, next && formatCursor(next));
  },
});

const read = endpoint({
  method: "get",
  operationId: "getConversation",
  summary: "Read a task as a conversation: each message with its reply, what it took, and its forks",
  params: idQuery,
  success: { status: 200, schema: conversation },
  handle: async ({ c, workspace, params }) => respondValue(c, await readTaskConversation(workspace, params.id)),
});
