import { createHash } from "node:crypto";
import type { ChatBody, ChatMessage } from "./chat-body.ts";
import { REASONING_CONTENT } from "./reasoning-field.ts";

/** Something that an endpoint wants in another form; it says so in its rejection. */
export interface Quirk {
  /** The endpoint's words. */
  readonly sign: RegExp;
  fit(body: ChatBody): ChatBody;
}

/** The statuses of a rejected request. */
const REJECTED: ReadonlySet<number | undefined> = new Set([400, 422]);

/** What is known of endpoints. Each is learned from the endpoint's own words, because no list of endpoints is complete. */
const QUIRKS: readonly Quirk[] = [
  // OpenAI's newer models behind a gateway.
  { sign: /max_completion_tokens/, fit: ({ max_tokens: max, ...body }) => withLimit(body, max) },
  // OpenAI's models that take tools here only without reasoning.
  { sign: /set reasoning_effort to 'none'/, fit: (body) => ({ ...body, reasoning_effort: "none" }) },
  // DeepSeek and Moonshot want it with every tool call, also one of another model.
  {
    sign: /reasoning_content`? (?:is missing|in the thinking mode must be passed back)/,
    fit: (body) =>
      mapMessages(body, (message) => (isCalling(message) ? { [REASONING_CONTENT]: "", ...message } : message)),
  },
  // Mistral: "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9."
  { sign: /must be a-z, a-z, 0-9, with a length of 9/i, fit: (body) => mapMessages(body, withShortIds) },
  // Mistral: "Unexpected role 'user' after role 'tool'".
  { sign: /role 'user' after role 'tool'/, fit: (body) => ({ ...body, messages: body.messages.flatMap(answerTools) }) },
  // DeepSeek: "This response_format type is unavailable now". It wants the word JSON in the prompt.
  { sign: /response_format/, fit: withSchemaInPrompt },
  { sign: /stream_options/, fit: (body) => ({ ...body, stream_options: undefined }) },
];

/** The quirk that a rejection is about, if it is a new one. */
export function findQuirk(
  { status, words }: { readonly status: number | undefined; readonly words: string },
  known: ReadonlySet<Quirk>,
): Quirk | undefined {
  return REJECTED.has(status) ? QUIRKS.find((quirk) => !known.has(quirk) && quirk.sign.test(words)) : undefined;
}

function withLimit(body: ChatBody, max: unknown): ChatBody {
  return max === undefined ? body : { ...body, max_completion_tokens: max };
}

function withSchemaInPrompt(body: ChatBody): ChatBody {
  const { response_format: format, messages } = body;
  if (format === undefined) return body;
  const words = `Answer with JSON only, in this form: ${JSON.stringify(format)}`;
  const [first, ...rest] = messages;
  const system = first?.role === "system" ? `${String(first["content"])}\n\n${words}` : words;
  return {
    ...body,
    messages: [{ role: "system", content: system }, ...(first?.role === "system" ? rest : messages)],
    response_format: { type: "json_object" },
  };
}

function mapMessages(body: ChatBody, map: (message: ChatMessage) => ChatMessage): ChatBody {
  return { ...body, messages: body.messages.map(map) };
}

function isCalling(message: ChatMessage): boolean {
  return Array.isArray(message["tool_calls"]);
}

function withShortIds(message: ChatMessage): ChatMessage {
  const { tool_call_id: answered, tool_calls: calls } = message;
  return {
    ...message,
    ...(typeof answered === "string" && { tool_call_id: shortId(answered) }),
    ...(Array.isArray(calls) && { tool_calls: calls.map((call) => ({ ...call, id: shortId(String(call.id)) })) }),
  };
}

const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

function shortId(id: string): string {
  return SHORT_ID.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);
}

function answerTools(message: ChatMessage, index: number, all: readonly ChatMessage[]): readonly ChatMessage[] {
  const isAfterTool = message.role === "user" && all[index - 1]?.role === "tool";
  return isAfterTool ? [{ role: "assistant", content: "I have read the results." }, message] : [message];
}
