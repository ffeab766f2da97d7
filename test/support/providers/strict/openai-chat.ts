import { chatRequest, writeChat } from "./chat-wire.ts";
import type { StrictChatRequest } from "./chat-wire.ts";
import { openAiRefusal } from "./openai-words.ts";
import { startStrictServer } from "./strict-server.ts";
import type { StrictServer } from "./strict-server.ts";
import { openAiFault } from "./tool-rules.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const REASONS = /^(?:o\d|gpt-[5-9])/;
/** Models that take tools here only without reasoning. */
const TOOLS_WITHOUT_REASONING = /^gpt-(?:5\.[4-9]|[6-9])/;

/** Starts OpenAI's Chat Completions, as a gateway that has no Responses API. */
export function startOpenAiChat(): Promise<StrictServer> {
  return startStrictServer({
    basePath: "/v1",
    reply({ path, body }) {
      if (!path.endsWith("/chat/completions")) openAiRefusal(`Invalid URL (POST ${path})`, { status: 404 });
      const request = chatRequest.parse(body);
      check(request);
      const dialect = { reasoning: () => ({}), callId: "call_1", usage: { prompt_tokens: 11, completion_tokens: 7 } };
      return (response, reply) => writeChat(response, { model: request.model, reply, dialect });
    },
  });
}

/** https://developers.openai.com/api/reference/chat, and reports of the vendor's words. @throws Rejection */
function check({ model, tools = [], messages, max_tokens, temperature, reasoning_effort: effort }: StrictChatRequest) {
  if (tools.length > 0 && TOOLS_WITHOUT_REASONING.test(model) && effort !== "none") {
    const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
    openAiRefusal(message, { param: "reasoning_effort" });
  }
  if (max_tokens !== undefined && REASONS.test(model)) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    openAiRefusal(message, { param: "max_tokens", code: "unsupported_parameter" });
  }
  if (temperature !== undefined && temperature !== 1 && REASONS.test(model) && effort !== "none") {
    const message = `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`;
    openAiRefusal(message, { param: "temperature", code: "unsupported_value" });
  }
  tools.forEach(({ function: { name, parameters } }, index) => {
    const param = `tools[${index}].function`;
    if (!NAME.test(name)) openAiRefusal(`Invalid '${param}.name': string does not match pattern.`, { param });
    const fault = openAiFault(parameters);
    if (fault !== undefined) {
      openAiRefusal(`Invalid schema for function '${name}': ${fault}`, { param, code: "invalid_function_parameters" });
    }
  });
  messages.forEach(({ tool_calls: made = [] }, index) => {
    const next = messages.slice(index + 1, index + 1 + made.length);
    const answers = new Set(next.map(({ tool_call_id: id }) => id));
    const missing = made.filter(({ id }) => !answers.has(id));
    if (missing.length > 0) {
      const message = `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.map(({ id }) => id).join(", ")}`;
      openAiRefusal(message, { param: "messages" });
    }
  });
}
