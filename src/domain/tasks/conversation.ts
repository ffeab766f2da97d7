import type { ConversationMessage } from "./run-job.ts";
import { taskPrompt } from "./task-prompt.ts";

const MAX_TITLE = 200;
const UNTITLED = "Conversation";

/** A task that has run, as far as it is a conversation. */
export interface Thread {
  readonly title: string;
  readonly description: string;
  readonly result: string | null;
  readonly conversation: readonly ConversationMessage[] | null;
}

/** Whether a message was said in this conversation already, so that it only came once more. */
export function wasSaid(thread: Thread, message: ConversationMessage): boolean {
  return message.id !== undefined && (thread.conversation ?? []).some(({ id }) => id === message.id);
}

/** The conversation with the agent's answer to it and the user's next message. */
export function continueThread(thread: Thread, message: ConversationMessage): ConversationMessage[] {
  const before = thread.conversation ?? [{ role: "user", content: taskPrompt(thread) } as const];
  const answer = thread.result === null ? [] : [{ role: "assistant", content: thread.result } as const];
  return [...before, ...answer, message];
}

/** A title for a task that begins with a message: the first line of it that says something. */
export function titleOf(message: string): string {
  const line = message.split("\n").find((text) => text.trim() !== "") ?? UNTITLED;
  return Array.from(line.trim()).slice(0, MAX_TITLE).join("");
}
