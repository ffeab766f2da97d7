import { z } from "zod";
import type { Principal } from "#domain/principal.ts";
import type { ConversationTask } from "#db/queries/a2a/tasks.ts";
import type { LoggedEvent } from "#db/queries/task-events.ts";
import type { Services } from "../context.ts";
import { openStream } from "../open-stream.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { Accepted } from "./send-message.ts";

const QUESTION = '"type":"INTERACTION_REQUEST"';

const question = z.looseObject({ interactionId: z.string(), wizardStepId: z.string().optional() });

/**
 * Waits until a task has ended or needs input, and returns it; earlier, when the signal fires.
 * @throws AppError `not_found` when it is deleted meanwhile.
 */
export async function waitForTask(
  services: Services,
  who: Principal,
  { agentId, taskId, lastSeen, signal }: Accepted & { readonly signal: AbortSignal },
): Promise<ConversationTask> {
  const events = await openStream(services, who, { agentId, threadId: taskId, lastSeen, signal });
  for await (const batch of events ?? []) {
    const asked = batch.findLast(isQuestion);
    if (asked === undefined) continue;
    const task = await getConversationTask(services, who, { taskId, agentId });
    if (isOpenIn(task, asked)) return task;
  }
  return getConversationTask(services, who, { taskId, agentId });
}

/** Whether an event of the log is a question. */
export function isQuestion({ text }: LoggedEvent): boolean {
  return text.includes(QUESTION);
}

/** Whether a task still waits for the answer to this question of its log. */
export function isOpenIn({ status, interaction }: ConversationTask, asked: LoggedEvent): boolean {
  if (status !== "waiting_for_input") return false;
  const [open, other] = [question.parse(interaction), question.parse(JSON.parse(asked.text))];
  return open.interactionId === other.interactionId && open.wizardStepId === other.wizardStepId;
}
