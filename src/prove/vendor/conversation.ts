import { z } from "zod";

const TITLE = /^Task Title: (.*)$/m;
const SPEAKER = /^You are (\w+)\./;

const request = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })).min(1),
});

/** What a request for a reply is about. */
export interface Turn {
  /** The title of the task. */
  readonly title: string;
  /** The agent that is to speak. */
  readonly speaker: string;
  /** How many replies the conversation has. */
  readonly number: number;
  /** The last message: a result of a tool, or what was asked. */
  readonly last: string;
  /** The same for a request that is repeated, and for no other. */
  readonly key: string;
}

/** Reads a request of OpenAI's Chat Completions. @throws ZodError */
export function readTurn(body: unknown): Turn {
  const { messages } = request.parse(body);
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const [, title = ""] = TITLE.exec(text) ?? [];
  const [, speaker = ""] = SPEAKER.exec(messages[0]?.content ?? "") ?? [];
  const number = messages.filter(({ role }) => role === "assistant").length;
  return { title, speaker, number, last: messages.at(-1)?.content ?? "", key: `${title} / ${speaker} / ${number}` };
}

/** The kinds of work. Each takes another way through the engine. */
export const WORK_KINDS = ["talk", "tools", "question", "pipeline"] as const;

/** One of {@link WORK_KINDS}. */
export type WorkKind = (typeof WORK_KINDS)[number];

/** The question that work of the kind `question` asks. */
export const QUESTION = "Which colour?";
/** How many replies of an agent call a tool. */
const TOOL_TURNS: Readonly<Record<WorkKind, number>> = { talk: 0, tools: 2, question: 1, pipeline: 1 };

/** A tool that a reply calls. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The tool that a reply calls, if it does: the same however often it is asked. */
export function toolCallOf({ title, number }: Turn): ToolCall | undefined {
  const kind = WORK_KINDS.find((each) => title.endsWith(` ${each}`)) ?? "talk";
  if (number >= TOOL_TURNS[kind]) return undefined;
  if (kind === "question") return { name: "request_input", args: { title: QUESTION, timeoutMs: 600_000 } };
  return { name: COUNTED_TOOL, args: { title, number } };
}

/** The name of the tool whose calls are counted. */
export const COUNTED_TOOL = "counted_tool";
