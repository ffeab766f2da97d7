import { chatRequest, writeChat } from "./chat-wire.ts";
import type { ChatDialect, StrictChatMessage, StrictChatRequest } from "./chat-wire.ts";
import {
  checkLlamaCpp,
  checkOllama,
  checkOpenRouter,
  checkVllm,
  checkXai,
  openRouterReasoning,
} from "./compatible-servers.ts";
import { openAiRefusal } from "./openai-words.ts";
import { Rejection, startStrictServer } from "./strict-server.ts";
import type { StrictServer } from "./strict-server.ts";
import { tokensOf } from "./tokens.ts";

/** Endpoints whose rules differ most. */
export type CompatibleFamily =
  | "mistral"
  | "deepseek"
  | "moonshot"
  | "groq"
  | "newer-openai"
  | "ollama"
  | "vllm"
  | "llama.cpp"
  | "openrouter"
  | "xai";

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const usualDialect: ChatDialect = {
  reasoning: (text) => ({ reasoning_content: text }),
  callId: "a1B2c3D4e",
  usage: USAGE,
};
const inReasoning = (text: string) => ({ reasoning: text });
const DIALECTS: Partial<Record<CompatibleFamily, Partial<ChatDialect>>> = {
  groq: { reasoning: inReasoning },
  ollama: { reasoning: inReasoning },
  vllm: { reasoning: inReasoning },
  mistral: { reasoning: (text) => ({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }) },
  openrouter: { reasoning: openRouterReasoning, comment: "OPENROUTER PROCESSING" },
  // It counts its reasoning apart, and does not show it.
  xai: {
    reasoning: () => [],
    usage: { ...USAGE, total_tokens: 21, completion_tokens_details: { reasoning_tokens: 3 } },
  },
};

/** Starts an endpoint with the rules of one family. @param window the tokens that its model takes */
export function startCompatible(family: CompatibleFamily, window = Infinity): Promise<StrictServer> {
  return startStrictServer({
    basePath: "/v1",
    reply({ body }) {
      const request = chatRequest.parse(body);
      RULES[family](request);
      const tokens = checkWindow(request, window);
      const counted =
        window === Infinity ? {} : { usage: { ...USAGE, prompt_tokens: tokens, total_tokens: tokens + 7 } };
      const dialect = { ...usualDialect, ...DIALECTS[family], ...counted };
      return (response, reply) => writeChat(response, { model: request.model, reply, dialect });
    },
  });
}

const RULES: Readonly<Record<CompatibleFamily, (request: StrictChatRequest) => void>> = {
  mistral: checkMistral,
  deepseek: checkDeepSeek,
  moonshot: checkMoonshot,
  groq: checkGroq,
  "newer-openai": checkLimitName,
  ollama: checkOllama,
  vllm: checkVllm,
  "llama.cpp": checkLlamaCpp,
  openrouter: checkOpenRouter,
  xai: checkXai,
};

/** The words of https://github.com/vllm-project/vllm/issues/20409. */
function checkWindow({ messages, tools, max_tokens: max = 0 }: StrictChatRequest, window: number): number {
  const tokens = tokensOf([messages, tools]);
  if (tokens + max <= window) return tokens;
  openAiRefusal(
    `This model's maximum context length is ${window} tokens. However, you requested ${tokens + max} tokens (${tokens} in the messages, ${max} in the completion). Please reduce the length of the messages or completion.`,
  );
}

const MISTRAL_CALL_ID = /^[a-zA-Z0-9]{9}$/;
const MISTRAL_FIELDS = new Set(
  "model messages tools tool_choice temperature top_p max_tokens stream stop random_seed response_format parallel_tool_calls reasoning_effort stream_options".split(
    " ",
  ),
);

/** https://docs.mistral.ai/api; the words as in https://github.com/BerriAI/litellm/issues/17761. */
function checkMistral(request: StrictChatRequest): void {
  const unknown = Object.keys(request).find((field) => !MISTRAL_FIELDS.has(field));
  if (unknown !== undefined) refuseFields(["body", unknown]);
  request.messages.forEach((message, index) => {
    const before = request.messages[index - 1];
    if (message.reasoning_content !== undefined) refuseFields(["body", "messages", index, "reasoning_content"]);
    if (message.role === "user" && before?.role === "tool") refuseOrder("Unexpected role 'user' after role 'tool'");
    if (message.role === "system" && index > 0) refuseOrder(`Unexpected role 'system' after role '${before?.role}'`);
    for (const {
      id,
      function: { name },
    } of message.tool_calls ?? []) {
      if (!MISTRAL_CALL_ID.test(id))
        refuseCall(`Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
        refuseCall(
          `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`,
        );
      }
    }
  });
  const last = request.messages.at(-1)?.role;
  if (last !== "user" && last !== "tool") {
    refuseOrder(`Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last}`);
  }
}

/** https://api-docs.deepseek.com/guides/thinking_mode and /json_mode. */
function checkDeepSeek(request: StrictChatRequest): void {
  requireReasoning(request, () => "The `reasoning_content` in the thinking mode must be passed back to the API.");
  if (request.response_format?.type === "json_schema") openAiRefusal("This response_format type is unavailable now");
  if (request.response_format?.type === "json_object" && !/json/i.test(JSON.stringify(request.messages))) {
    openAiRefusal("Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.");
  }
}

/** https://github.com/mastra-ai/mastra/issues/12592 */
function checkMoonshot(request: StrictChatRequest): void {
  const missing = (index: number) =>
    `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`;
  requireReasoning(request, missing);
  if (request.tool_choice === "required") openAiRefusal("tool_choice 'required' is incompatible with thinking enabled");
  if (request.temperature !== undefined && request.temperature !== 1) {
    openAiRefusal("invalid temperature: only 1 is allowed for this model");
  }
  const empty = request.messages.findIndex((message) => message.role === "assistant" && isEmpty(message));
  if (empty !== -1) openAiRefusal(`message at position ${empty} with role 'assistant' must not be empty`);
}

function requireReasoning({ messages }: StrictChatRequest, words: (index: number) => string): void {
  const index = messages.findIndex(
    ({ tool_calls: made, reasoning_content: thought }) => made !== undefined && thought === undefined,
  );
  if (index !== -1) openAiRefusal(words(index), { code: "invalid_request_error" });
}

/** https://github.com/janhq/jan/issues/8136 and https://github.com/agno-agi/agno/issues/1065 */
function checkGroq({ messages, tools = [], response_format: format }: StrictChatRequest): void {
  if (format !== undefined && tools.length > 0) {
    openAiRefusal("json mode cannot be combined with tool/function calling");
  }
  const index = messages.findIndex(({ reasoning_content: thought }) => thought !== undefined);
  if (index === -1) return;
  openAiRefusal(
    `'messages.${index}' : for 'role:assistant' the following must be satisfied[('messages.${index}' : property 'reasoning_content' is unsupported)]`,
  );
}

/** A gateway to a model that has another name for its limit. */
function checkLimitName({ max_tokens: max }: StrictChatRequest): void {
  if (max === undefined) return;
  openAiRefusal(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { param: "max_tokens", code: "unsupported_parameter" },
  );
}

function isEmpty({ content, tool_calls: made }: StrictChatMessage): boolean {
  return made === undefined && (typeof content !== "string" || content.trim() === "");
}

function refuseFields(loc: readonly (string | number)[]): never {
  const detail = [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input: "…" }];
  throw new Rejection(422, {
    object: "error",
    message: { detail },
    type: "invalid_request_error",
    param: null,
    code: null,
  });
}

function refuseOrder(message: string): never {
  const type = "invalid_request_message_order";
  throw new Rejection(400, { object: "error", message, type, param: null, code: "3230" });
}

function refuseCall(message: string): never {
  const type = "invalid_function_call";
  throw new Rejection(400, { object: "error", message, type, param: null, code: "3280" });
}
