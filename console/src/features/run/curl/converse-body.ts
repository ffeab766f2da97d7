import { inputOf, joined, placeholderOf, saying } from "./sent-request.ts";
import type { SentMessage, SentRequest } from "./sent-request.ts";

/** A request in the form of Amazon Bedrock's ConverseStream. */
export function converseBody({ messages, tools, parameters }: SentRequest) {
  const { temperature, maxTokens, toolChoice } = parameters;
  const system = messages.flatMap((each) => (each.role === "system" ? [{ text: each.content }] : []));
  const turns = saying(messages).filter(({ role }) => role !== "system");
  const choice =
    toolChoice === undefined
      ? {}
      : { toolChoice: toolChoice === "required" ? { any: {} } : { tool: { name: toolChoice.name } } };
  return {
    ...(system.length > 0 && { system }),
    messages: joined(turns.map(turnOf)).map(({ role, parts }) => ({ role, content: parts })),
    inferenceConfig: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
    },
    ...(tools.length > 0 && {
      toolConfig: {
        tools: tools.map(({ name, description, inputSchema }) => ({
          toolSpec: { name, description, inputSchema: { json: inputSchema } },
        })),
        ...choice,
      },
    }),
  };
}

function turnOf(message: SentMessage): { readonly role: "user" | "assistant"; readonly parts: readonly object[] } {
  switch (message.role) {
    case "system":
    case "user":
      return { role: "user", parts: [{ text: message.content }, ...picturesOf(message)] };
    case "assistant":
      return {
        role: "assistant",
        parts: [
          ...(message.content === "" ? [] : [{ text: message.content }]),
          ...message.toolCalls.map(({ id, name, arguments: text }) => {
            return { toolUse: { toolUseId: id, name, input: inputOf(text) } };
          }),
        ],
      };
    case "tool":
      return {
        role: "user",
        parts: [{ toolResult: { toolUseId: message.toolCallId, content: [{ text: message.output }] } }],
      };
  }
}

function picturesOf(message: SentMessage): readonly object[] {
  if (message.role !== "user") return [];
  return (message.images ?? []).map(({ name, mediaType }) => ({
    image: { format: mediaType.replace("image/", ""), source: { bytes: placeholderOf(name) } },
  }));
}
