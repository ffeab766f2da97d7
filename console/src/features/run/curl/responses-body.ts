import { placeholderOf, saying } from "./sent-request.ts";
import type { AssistantMessage, SentMessage, SentRequest } from "./sent-request.ts";

/** OpenAI's models that reason take no temperature, and system messages from a developer. */
const REASONS = /^(?:o\d|gpt-(?:[5-9]|\d{2}))(?!.*chat)/;

/** A request in the form of OpenAI's Responses. The reasoning of earlier replies is encrypted, and not part of it. */
export function responsesBody(request: SentRequest) {
  const { model, temperature, maxTokens, effort, toolChoice } = request.parameters;
  const isReasoning = REASONS.test(model);
  return {
    model,
    input: saying(request.messages).flatMap((message) => itemsOf(message, isReasoning)),
    ...(temperature !== undefined && !isReasoning && { temperature }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    store: false,
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function",
        name,
        description,
        parameters,
        strict: false,
      })),
    }),
    ...(toolChoice !== undefined && {
      tool_choice: toolChoice === "required" ? toolChoice : { type: "function", ...toolChoice },
    }),
    stream: true,
  };
}

function itemsOf(message: SentMessage, isReasoning: boolean): readonly object[] {
  switch (message.role) {
    case "system":
      return [{ role: isReasoning ? "developer" : "system", content: message.content }];
    case "user":
      return [{ role: "user", content: userContent(message) }];
    case "assistant":
      return assistantItems(message);
    case "tool":
      return [{ type: "function_call_output", call_id: message.toolCallId, output: outputOf(message) }];
  }
}

function outputOf({ output, isError }: Extract<SentMessage, { role: "tool" }>): string {
  return isError ? JSON.stringify({ error: output }) : output;
}

function userContent({ content, images = [] }: Extract<SentMessage, { role: "user" }>) {
  const pictures = images.map(({ name, mediaType }) => ({
    type: "input_image",
    image_url: `data:${mediaType};base64,${placeholderOf(name)}`,
  }));
  return [{ type: "input_text", text: content }, ...pictures];
}

function assistantItems({ content, toolCalls }: AssistantMessage): readonly object[] {
  const said = content === "" ? [] : [{ role: "assistant", content }];
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: text,
  }));
  return [...said, ...calls];
}
