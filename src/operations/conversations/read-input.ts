import { z } from "zod";
import { attachmentsOf } from "#db/queries/files/files.ts";
import { readConversation } from "#db/queries/tasks/conversations.ts";
import { AppError } from "#domain/errors.ts";
import { clientCallId } from "#protocols/openai/client-call-id.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { taskPrompt } from "#domain/tasks/task-prompt.ts";
import { readAskedCalls } from "./submit-results.ts";
import type { ReplyPart } from "#protocols/openai/reply-event.ts";
import type { Workspace } from "../workspace.ts";

/** A result of a client's tool. */
export interface SentResult {
  readonly callId: string;
  readonly output: string;
}

/** What a reply answers: a conversation, or results of client tools. */
export interface ReplyInput {
  readonly messages: readonly ConversationMessage[];
  readonly results: readonly SentResult[];
  /** The ids of the images among the files of the messages. */
  readonly images: ReadonlySet<string>;
}

const answered = z.record(z.string(), z.string());

const NONE: ReplyInput = { messages: [], results: [], images: new Set() };

/** Reads what a reply answers. @throws AppError `not_found`. */
export async function readInput(workspace: Workspace, part: ReplyPart): Promise<ReplyInput> {
  const { taskId, after } = part;
  const thread = await readConversation(workspace, taskId);
  if (thread?.stored !== true) throw new AppError("not_found", "Response not found");
  if (after !== undefined) return { ...NONE, results: await resultsAt(workspace, { taskId, seq: after }) };
  const messages = thread.conversation ?? [{ role: "user", content: taskPrompt(thread) }];
  const hasFiles = messages.some(({ attachments = [] }) => attachments.length > 0);
  const files = hasFiles ? await attachmentsOf(workspace, { owner: { taskId }, attempt: thread.attempt }) : [];
  const images = files.flatMap(({ id, type }) => (type.startsWith("image/") ? [id] : []));
  return { ...NONE, messages, images: new Set(images) };
}

async function resultsAt(
  workspace: Workspace,
  place: { readonly taskId: string; readonly seq: number },
): Promise<readonly SentResult[]> {
  const asked = await readAskedCalls(workspace, place);
  const answer = answered.parse(asked?.answer ?? {});
  return (asked?.clientCalls.calls ?? []).map(({ field }, index) => ({
    callId: clientCallId({ ...place, index }),
    output: answer[field] ?? "",
  }));
}
