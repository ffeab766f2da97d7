import { createHash } from "node:crypto";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { replyCalls, replyText } from "#domain/models/reply-parts.ts";

/** The part of a transcript that one message may fill; the middle of a longer one is left out. */
const MAX_MESSAGE_SHARE = 1 / 4;

/** What to keep of a conversation. */
export interface KeptPart {
  /** The tokens of the newest messages that stay as they are. */
  readonly tokens: number;
  readonly sizeOf: (message: ModelMessage) => number;
}

/**
 * Returns how many of a conversation's replies are older turns: those before the newest messages that stay, which are
 * at least the last reply with the results of its calls.
 */
export function countOlder(messages: readonly ModelMessage[], { tokens, sizeOf }: KeptPart): number {
  const replies = indexesOfReplies(messages);
  let kept = 0;
  let place = messages.length;
  for (let older = replies.length - 1; older > 0; older--) {
    const start = replies[older] ?? 0;
    kept += messages.slice(start, place).reduce((sum, message) => sum + sizeOf(message), 0);
    if (kept > tokens && place < messages.length) return older + 1;
    place = start;
  }
  return replies.length > 1 ? 1 : 0;
}

/** Returns where the messages after a number of replies and their results begin; the system prompt is message 0. */
export function endOfReplies(messages: readonly ModelMessage[], replies: number): number {
  return indexesOfReplies(messages)[replies] ?? messages.length;
}

/** What the agent was asked for last. */
export function taskOf(messages: readonly ModelMessage[]): ModelMessage | undefined {
  return messages.findLast((message) => message.role === "user" && message.isNotice !== true);
}

/** Puts a notice in the place of the messages between the system prompt and `end`, except for the task. */
export function inPlaceOf(
  messages: readonly ModelMessage[],
  { end, content, task }: { readonly end: number; readonly content: string; readonly task: ModelMessage | undefined },
): readonly ModelMessage[] {
  const isTaskOlder = task !== undefined && messages.slice(1, end).includes(task);
  return [
    ...messages.slice(0, 1),
    ...(isTaskOlder ? [task] : []),
    { role: "user", content, isNotice: true },
    ...messages.slice(end),
  ];
}

function indexesOfReplies(messages: readonly ModelMessage[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
}

/** Messages as a text for the model that summarises them, and the number of replies in it. */
export interface Transcript {
  readonly text: string;
  readonly replies: number;
}

/** Writes the first turns of a conversation as a text: as many as fit, at least one. */
export function transcriptOf(messages: readonly ModelMessage[], maxCharacters: number): Transcript {
  const parts = partsOf(messages, maxCharacters);
  const ends = [...indexesOfReplies(messages).slice(1), messages.length];
  const texts = ends.map((end) => parts.slice(0, end).join("\n\n"));
  const replies = Math.max(1, texts.findLastIndex(({ length }) => length <= maxCharacters) + 1);
  return { text: withoutMiddle(texts[replies - 1] ?? "", maxCharacters), replies };
}

/** Writes messages as a text; its middle is left out if it is too long. */
export function extractOf(messages: readonly ModelMessage[], maxCharacters: number): string {
  return withoutMiddle(partsOf(messages, maxCharacters).join("\n\n"), maxCharacters);
}

function partsOf(messages: readonly ModelMessage[], maxCharacters: number): readonly string[] {
  const maxPart = Math.floor(maxCharacters * MAX_MESSAGE_SHARE);
  return messages.map((message) => withoutMiddle(asText(message), maxPart));
}

/** Identifies a conversation's reply by what it says: its reasoning and the ids of its calls are left out. */
export function digestOfReply(messages: readonly ModelMessage[], reply: number): string {
  const message = messages[indexesOfReplies(messages)[reply] ?? -1];
  const text = message === undefined ? "" : asText(message);
  return createHash("sha256").update(text).digest("base64url");
}

function asText(message: ModelMessage): string {
  switch (message.role) {
    case "system":
      return `[system]\n${message.content}`;
    case "user": {
      const names = (message.images ?? []).map(({ name }) => `(image ${name})`);
      return [message.isNotice === true ? "[notice]" : "[user]", message.content, ...names].join("\n");
    }
    case "assistant": {
      const calls = replyCalls(message.parts).map((call) => `(calls ${call.name} with ${call.arguments})`);
      return ["[agent]", replyText(message.parts), ...calls].filter((line) => line !== "").join("\n");
    }
    case "tool":
      return `[${message.isError ? "error" : "result"} of ${message.toolName}]\n${message.output}`;
  }
}

/** Returns a text of at most so many characters and a notice: its beginning and its end. */
export function withoutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  const [head, tail] = [text.slice(0, half), text.slice(-half)].map((part) => part.toWellFormed());
  return `${head}\n[${text.length - 2 * half} characters are left out here]\n${tail}`;
}
