import { z } from "zod";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import { continueThread, titleOf } from "#domain/tasks/conversation.ts";
import { AppError } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { ClientRequest } from "#domain/tasks/client-request.ts";
import type { GivenFile } from "#protocols/openai/content.ts";
import type { GivenMessage, GivenResult } from "#protocols/openai/items.ts";
import { requireRole } from "#domain/access/role.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { taskCreate } from "#domain/tasks/task.ts";
import { readConversation } from "#db/queries/tasks/conversations.ts";
import { answerOnce } from "../access/answer-once.ts";
import type { KeyedRequest } from "../access/answer-once.ts";
import { createTask } from "../tasks/tasks.ts";
import { checkClientTools } from "../tools/check-client-tools.ts";
import { continueRun } from "./continue-run.ts";
import { storeGivenFiles } from "./store-given-files.ts";
import type { StoredMessages } from "./store-given-files.ts";
import type { NamedModel } from "#domain/models/runnable-model.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Workspace } from "../workspace.ts";

/** The maximum length of a conversation for a team, which takes one task. */
const MAX_DESCRIPTION = 100_000;

const storedAnswer = z.object({ taskId: z.uuid(), after: z.int().optional() });

/** A request to the model, of either kind. */
export interface RunRequest {
  readonly model: NamedModel;
  /** The tools that the client offers the model. */
  readonly clientTools: ClientTools;
  /** The idempotency key of the request, if the caller sent one. */
  readonly once?: KeyedRequest | undefined;
  /** The id of the HTTP request. */
  readonly requestId: string;
  /** The id of the task, if one is created. */
  readonly taskId: string;
}

/** A conversation that an agent or a team continues. */
export interface Conversation extends RunRequest {
  readonly messages: readonly GivenMessage[];
  readonly clientRequest: ClientRequest;
  /** Texts of the client for its own use. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface StoredConversation extends Omit<Conversation, "messages">, StoredMessages {}

/** The results of client tools. */
export interface Continuation extends RunRequest {
  readonly results: readonly GivenResult[];
}

/**
 * Starts a task that continues a conversation, or continues a run with the results of its client tools. A request that
 * is repeated with its idempotency key gets the same reply.
 * @throws AppError `forbidden` for read-only callers; `conflict` as {@link answerOnce}; as {@link continueRun}.
 */
export async function converse(workspace: Workspace, request: Conversation | Continuation): Promise<ReplyPart> {
  requireRole(workspace.who, "member");
  const { once, requestId, model, clientTools } = request;
  if (model.kind === "agent") await checkClientTools(workspace, { agentId: model.id, clientTools });
  else if (clientTools.tools.length > 0) {
    throw invalid("body", [{ path: "tools", message: "a team accepts no client tools: use an agent" }]);
  }
  const ready =
    "results" in request ? request : { ...request, ...(await storeGivenFiles(workspace, request.messages)) };
  const run = (given: Workspace) => ("results" in ready ? continueRun(given, ready) : start(given, ready));
  if (once === undefined) return run(workspace);
  const outcome = await answerOnce(workspace, once, async (joined) => {
    const part = await run(joined);
    return { response: part, answer: { requestId, status: 201, body: JSON.stringify(part) } };
  });
  return "stored" in outcome ? storedAnswer.parse(JSON.parse(outcome.stored.body)) : outcome.executed;
}

async function start(workspace: Workspace, conversation: StoredConversation): Promise<ReplyPart> {
  const { taskId, model, messages, files, metadata, clientTools, clientRequest } = conversation;
  const last = messages.findLast(({ role }) => role === "user")?.content ?? "";
  const isAgent = model.kind === "agent";
  const input = taskCreate.parse({
    title: titleOf(last),
    description: (isAgent ? last : transcriptOf(messages)).slice(0, MAX_DESCRIPTION).toWellFormed(),
    metadata,
    ...(isAgent ? { assigned_agent_id: model.id } : { assigned_team_id: model.id }),
  });
  await createTask(workspace, {
    ...input,
    id: taskId,
    ...(isAgent && { conversation: messages }),
    clientTools,
    files,
    clientRequest,
  });
  return { taskId };
}

/** Returns a conversation as one text; a single message is unchanged. */
function transcriptOf(messages: readonly ConversationMessage[]): string {
  if (messages.length === 1) return messages[0]?.content ?? "";
  return messages.map(({ role, content }) => `${role === "user" ? "User" : "Assistant"}: ${content}`).join("\n\n");
}

/**
 * Returns the conversation of a finished task, with its result.
 * @throws AppError `not_found` when the workspace has no such task; `conflict` when it has no result.
 */
export async function conversationOf(workspace: Workspace, taskId: string): Promise<GivenMessage[]> {
  const thread = await readConversation(workspace, taskId);
  if (thread?.stored !== true) throw new AppError("not_found", "Response not found");
  if (thread.result === null) {
    throw new AppError(
      "conflict",
      "The previous response has no result to continue from. If it called functions, send only their outputs; if it waits for a person, continue when it has ended.",
    );
  }
  const said = continueThread(thread, { role: "user", content: "" }).slice(0, -1);
  return said.map(({ attachments = [], ...message }) => ({ ...message, files: attachments.map(asGiven) }));
}

function asGiven(fileId: string): GivenFile {
  return { fileId };
}
