import type { ConversationMessage } from "./run-job.ts";
import { taskPrompt } from "./task-prompt.ts";

const MAX_TITLE = 200;
const UNTITLED = "Conversation";

/** A finished task with its conversation. */
export interface Thread {
  readonly id: string;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly result: string | null;
  readonly conversation: readonly ConversationMessage[] | null;
}

/** True if a message is already in this conversation, and was only sent again. */
export function containsMessage(thread: Thread, message: ConversationMessage): boolean {
  return message.id !== undefined && (thread.conversation ?? []).some(({ id }) => id === message.id);
}

/** Returns the conversation with the agent's reply and the user's next message. Clients repeat what they add to it. */
export function continueThread(thread: Thread, { clientSection, ...said }: ConversationMessage): ConversationMessage[] {
  const before = thread.conversation ?? [{ role: "user", content: taskPrompt(thread) } as const];
  const { id: runId, attempt, result } = thread;
  const answer = result === null ? [] : [{ role: "assistant", content: result, of: { runId, attempt } } as const];
  const known = before.findLast((message) => message.clientSection !== undefined)?.clientSection;
  const isNew = clientSection !== undefined && clientSection !== known;
  return [...before, ...answer, { ...said, ...(isNew && { clientSection }) }];
}

/**
 * Returns the conversation to which an earlier attempt replied; undefined for one without a reply, whose place in it is
 * not recorded.
 */
export function conversationBefore(
  { id, conversation }: Pick<Thread, "id" | "conversation">,
  attempt: number,
): readonly ConversationMessage[] | undefined {
  const said = conversation ?? [];
  const reply = said.findIndex(({ of }) => of?.runId === id && of.attempt === attempt);
  return reply === -1 ? undefined : said.slice(0, reply);
}

/** Returns the conversation with another last message of its user. Clients know nothing of it: it has no id. */
export function replaceLastMessage(said: readonly ConversationMessage[], content: string): ConversationMessage[] {
  const { id: _, ...last } = said.at(-1) ?? { role: "user", content };
  return [...said.slice(0, -1), { ...last, content }];
}

/** Returns the title of a task that starts with a message: its first non-empty line. */
export function titleOf(message: string): string {
  const line = message.split("\n").find((text) => text.trim() !== "") ?? UNTITLED;
  return Array.from(line.trim()).slice(0, MAX_TITLE).join("");
}
