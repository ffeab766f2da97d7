import { createHash } from "node:crypto";
import type { ChatBody, ChatMessage } from "./chat-body.ts";
import { REASONING_CONTENT } from "./reasoning-field.ts";

/** Something that an endpoint wants in another form; it says so in its rejection. */
export interface Quirk {
  /** The endpoint's words. */
  readonly sign: RegExp;
  /** What to tell people where it changes a request, if they might miss something. */
  readonly note?: string;
  /** Returns the same body if nothing of it must be changed. */
  fit(body: ChatBody): ChatBody;
}

/** A body that fits, and what was changed for that, in sentences for people. */
export interface FittedBody {
  readonly body: ChatBody;
  readonly notes: readonly string[];
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
  // Groq: "json mode cannot be combined with tool/function calling".
  {
    sign: /cannot be combined with tool\/function calling/,
    note: "The output schema is only in the prompt: the endpoint cannot hold a model with tools to it.",
    fit: (body) => (body["tools"] === undefined ? body : without(body, "response_format")),
  },
  // DeepSeek: "This response_format type is unavailable now". It wants the word JSON in the prompt.
  { sign: /response[_ ]format/, fit: withSchemaInPrompt },
  // Moonshot: "invalid temperature: only 1 is allowed for this model". OpenAI's newer models behind a gateway.
  {
    sign: /invalid temperature: only|'temperature' does not support|parameter:? '?temperature'?/,
    note: "temperature was not sent: the endpoint does not take this one for the model.",
    fit: (body) => without(body, "temperature"),
  },
  // xAI: "Model grok-4 does not support parameter reasoningEffort." Ollama: "… does not support thinking".
  {
    sign: /support parameter reasoningEffort|does not support thinking|`reasoning_effort` is not supported/,
    note: "The reasoning effort was not sent: the endpoint does not take one for the model.",
    fit: (body) => without(body, "reasoning_effort"),
  },
  // Templates of open models: "Conversation roles must alternate user/assistant/user/assistant/...".
  { sign: /roles must alternate/, fit: (body) => ({ ...body, messages: body.messages.reduce(joinNeighbours, []) }) },
  { sign: /stream_options/, fit: (body) => ({ ...body, stream_options: undefined }) },
];

/** Fits a body to what is known of its receiver. */
export function fitBody(body: ChatBody, known: ReadonlySet<Quirk>): FittedBody {
  return [...known].reduce<FittedBody>(
    (fitted, { fit, note }) => {
      const next = fit(fitted.body);
      const isNoted = note !== undefined && next !== fitted.body;
      return { body: next, notes: isNoted ? [...fitted.notes, note] : fitted.notes };
    },
    { body, notes: [] },
  );
}

/** The quirk that a rejection is about, if it is a new one. */
export function findQuirk(
  { status, words }: { readonly status: number | undefined; readonly words: string },
  known: ReadonlySet<Quirk>,
): Quirk | undefined {
  return REJECTED.has(status) ? QUIRKS.find((quirk) => !known.has(quirk) && quirk.sign.test(words)) : undefined;
}

function without(body: ChatBody, field: string): ChatBody {
  if (body[field] === undefined) return body;
  return { ...body, [field]: undefined };
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

/** Two messages of the user in a row become one, and so do two plain ones of the model. */
function joinNeighbours(before: readonly ChatMessage[], message: ChatMessage): readonly ChatMessage[] {
  const last = before.at(-1);
  const isPair = last?.role === message.role && (message.role === "user" || message.role === "assistant");
  if (last === undefined || !isPair || isCalling(last) || isCalling(message)) return [...before, message];
  const { content: first } = last;
  const { content: second } = message;
  const content =
    typeof first === "string" && typeof second === "string"
      ? `${first}\n\n${second}`
      : [...contentParts(first), ...contentParts(second)];
  return [...before.slice(0, -1), { ...last, ...message, content }];
}

function contentParts(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}
