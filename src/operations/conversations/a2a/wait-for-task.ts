import { z } from "zod";
import { isTerminal } from "#domain/tasks/task-status.ts";
import type { Services } from "../../context.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { MessageReceipt } from "./send-message.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";
import type { Workspace } from "../../workspace.ts";

const QUESTION = '"type":"INTERACTION_REQUEST"';

const question = z.looseObject({ interactionId: z.string(), wizardStepId: z.string().optional() });

/** The task to wait for. */
export interface AwaitedTask extends Pick<MessageReceipt, "agentId" | "taskId" | "isNew"> {
  /** Whether a question also ends the wait. */
  readonly until: "question" | "end";
  readonly signal: AbortSignal;
}

/**
 * Waits until a task has ended or needs input, and returns it; earlier when the signal is aborted. Does not read the
 * log, nor a new task before something has happened.
 * @throws AppError `not_found` when it is deleted meanwhile.
 */
export async function waitForTask(
  workspace: Workspace,
  { agentId, taskId, isNew = false, until, signal }: AwaitedTask,
): Promise<ConversationTask> {
  const watch = watchForPause(workspace, taskId, signal);
  const isOver = ({ status }: ConversationTask) =>
    isTerminal(status) || (until === "question" && status === "waiting_for_input");
  try {
    if (isNew && !signal.aborted) await watch.next();
    for (;;) {
      const task = await getConversationTask(workspace, { taskId, agentId });
      if (signal.aborted || isOver(task)) return task;
      await watch.next();
    }
  } finally {
    watch.close();
  }
}

/** Notifies when a task may have ended or asked a question, without reading its log. */
export function watchForPause({ events }: Pick<Services, "events">, taskId: string, signal: AbortSignal) {
  let isDue = false;
  let lastSeq = 0;
  let wake: () => void = () => {};
  const notify = () => {
    isDue = true;
    wake();
  };
  const unsubscribe = events.subscribe(taskId, {
    notify(arrival) {
      if (arrival === "grown") return notify();
      lastSeq = arrival.at(-1)?.seq ?? lastSeq;
      if (arrival.some((event) => event.final || isQuestion(event))) notify();
    },
    // Finds events whose notification was lost.
    waitsFor: () => lastSeq + 1,
  });
  signal.addEventListener("abort", notify);
  return {
    async next(): Promise<void> {
      if (!isDue) await new Promise<void>((resolve) => (wake = resolve));
      isDue = false;
    },
    close() {
      unsubscribe();
      signal.removeEventListener("abort", notify);
    },
  };
}

/** True if an event of the log is a question. */
export function isQuestion({ text }: LoggedEvent): boolean {
  return text.includes(QUESTION);
}

/** True if a task still waits for the answer to this question of its log. */
export function isOpenIn({ status, interaction }: ConversationTask, asked: LoggedEvent): boolean {
  if (status !== "waiting_for_input") return false;
  const [open, other] = [question.parse(interaction), question.parse(JSON.parse(asked.text))];
  return open.interactionId === other.interactionId && open.wizardStepId === other.wizardStepId;
}
