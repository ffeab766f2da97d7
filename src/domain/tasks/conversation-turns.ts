import { taskPrompt } from "./task-prompt.ts";
import type { Thread } from "./conversation.ts";
import type { AttemptOf } from "./run-job.ts";

/** A message of a conversation's user, with the reply to it. */
export interface Turn {
  /** Null for a reply without one before it, as clients may send them. */
  readonly message: string | null;
  /** Null until there is one, and when there never was. */
  readonly reply: string | null;
  /** The attempt that replied or tries to; null if a client sent the reply, or it is not known. */
  readonly of: AttemptOf | null;
}

/**
 * Returns the turns of a conversation in order. The newest attempt answers the last message. An attempt that failed is
 * not in the conversation: it gets the next message without a reply.
 */
export function turnsOf(thread: Thread): readonly Turn[] {
  const { id: runId, attempt: newest, result } = thread;
  const turns = pairsOf(thread);
  const own = turns.findLastIndex(({ reply, of }) => reply !== null && of?.runId !== runId) + 1;
  let next = own;
  for (let attempt = 1; attempt < newest; attempt++) {
    const of = { runId, attempt };
    const replied = turns.findIndex((turn) => turn.of?.runId === runId && turn.of.attempt === attempt);
    const free = Math.min(next, turns.length - 1);
    if (replied === -1 && turns[free]?.reply === null) turns[free] = { ...turns[free], of };
    next = (replied === -1 ? free : replied) + 1;
  }
  const last = turns.pop();
  return last === undefined ? [] : [...turns, { ...last, reply: result, of: { runId, attempt: newest } }];
}

function pairsOf({ title, description, conversation }: Thread): Turn[] {
  const said = conversation ?? [{ role: "user", content: taskPrompt({ title, description }) } as const];
  const turns: Turn[] = [];
  for (const { role, content, of } of said) {
    const last = turns.at(-1);
    if (role === "user") turns.push({ message: content, reply: null, of: null });
    else if (last?.reply === null) turns.splice(-1, 1, { ...last, reply: content, of: of ?? null });
    else turns.push({ message: null, reply: content, of: of ?? null });
  }
  return turns;
}
