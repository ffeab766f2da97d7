import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { ClientRequest } from "#domain/tasks/client-request.ts";
import type { ReplyBound } from "#domain/tasks/reply-bound.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { ClientCalls } from "#domain/tools/client-tools.ts";
import type { AskedQuestion, ReplyPiece } from "./reply-pieces.ts";

/** Calls of client tools that end a reply. */
export interface RequestedTools {
  /** The number of the event that requests their results. */
  readonly seq: number;
  readonly calls: ClientCalls["calls"];
}

/** A question to a person that ends a reply. */
export interface RequestedAnswer extends AskedQuestion {
  /** The number of the event that asks it. */
  readonly seq: number;
}

/** A reply in its current state. */
export interface Reply {
  readonly status: TaskStatus;
  /** The result, or the text before the calls, the question or a failure; empty while there is none. */
  readonly text: string;
  /** What the model thought, for an agent that shows it. */
  readonly thoughts: readonly Thought[];
  /** Whether the last thought is the last that the model said. */
  readonly isThinking: boolean;
  /** The calls that end it. */
  readonly asked: RequestedTools | undefined;
  /** The question to a person that ends it. */
  readonly question: RequestedAnswer | undefined;
  /** Why it ended; null while it has not, and at calls or a question. */
  readonly finish: FinishReason | null;
  /** Why it failed. */
  readonly error: string | null;
  /** The time of the request, in seconds since 1970. */
  readonly created: number;
  /** The time of the run's end; null also for a reply that ends with calls or a question. */
  readonly completed: number | null;
  /** The agent or team; null when it was deleted. */
  readonly assigneeId: string | null;
  /** What the request said beyond its messages; undefined when another surface started the task. */
  readonly request: ClientRequest | undefined;
  /** The metadata of the task. */
  readonly metadata: unknown;
  readonly usage: ReplyUsage;
}

/** A piece of reasoning in a reply. */
export interface Thought {
  readonly id: string;
  readonly text: string;
  /** Whether the text began before it. */
  readonly isAfterText: boolean;
}

/** The tokens of the model calls of a reply. */
export interface ReplyUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/** What the log of a reply says so far. */
export interface Said extends Pick<Reply, "text" | "thoughts" | "isThinking" | "asked" | "question"> {
  /** The question that ends the reply; undefined at the run's end. */
  readonly until: ReplyBound | undefined;
}

/** What the log says before the first piece. */
export const NOTHING_SAID: Said = {
  text: "",
  thoughts: [],
  isThinking: false,
  asked: undefined,
  question: undefined,
  until: undefined,
};

/** Adds a piece of the log. */
export function withPiece(said: Said, piece: ReplyPiece): Said {
  switch (piece.kind) {
    case "text":
      return { ...said, text: said.text + piece.delta, isThinking: false };
    case "reasoning":
      return { ...said, thoughts: withThought(said, piece), isThinking: true };
    case "calls":
      return { ...said, text: piece.text, asked: piece, until: piece.bound };
    case "question":
      return { ...said, text: piece.text, question: { ...piece.question, seq: piece.seq }, until: piece.bound };
    case "end":
    case "failed":
      return said;
  }
}

function withThought(
  { text, thoughts }: Said,
  { messageId: id, delta }: Extract<ReplyPiece, { kind: "reasoning" }>,
): readonly Thought[] {
  const last = thoughts.at(-1);
  if (last?.id !== id) return [...thoughts, { id, text: delta, isAfterText: text !== "" }];
  return [...thoughts.slice(0, -1), { ...last, text: last.text + delta }];
}
