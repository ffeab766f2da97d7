import { inputOf, joined, placeholderOf, saying } from "./sent-request.ts";
import type { SentMessage, SentRequest } from "./sent-request.ts";

/** A platform of Gemini: on Vertex AI, calls have no ids, and their signatures another place. */
export type GeminiPlatform = "google" | "googleVertex";

/** A request in the form of Gemini's streamGenerateContent. */
export function contentsBody({ messages, tools, parameters }: SentRequest, platform: GeminiPlatform) {
  const { temperature, maxTokens, toolChoice } = parameters;
  const system = messages.flatMap((each) => (each.role === "system" ? [{ text: each.content }] : []));
  const turns = saying(messages).filter(({ role }) => role !== "system");
  const named =
    toolChoice === undefined || toolChoice === "required" ? {} : { allowedFunctionNames: [toolChoice.name] };
  return {
    generationConfig: {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    },
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    contents: joined(turns.map((turn) => turnOf(turn, platform))),
    ...(tools.length > 0 && {
      tools: [
        {
          functionDeclarations: tools.map(({ name, description, inputSchema }) => {
            return { name, description, parametersJsonSchema: inputSchema };
          }),
        },
      ],
    }),
    ...(toolChoice !== undefined && { toolConfig: { functionCallingConfig: { mode: "ANY", ...named } } }),
  };
}

function turnOf(
  message: SentMessage,
  platform: GeminiPlatform,
): { readonly role: "user" | "model"; readonly parts: readonly object[] } {
  const named = (id: string) => (platform === "google" ? { id } : {});
  switch (message.role) {
    case "system":
    case "user":
      return { role: "user", parts: [{ text: message.content }, ...picturesOf(message)] };
    case "assistant":
      return {
        role: "model",
        parts: [
          ...(message.content === "" ? [] : [{ text: message.content }]),
          ...message.toolCalls.map(({ id, name, arguments: text, providerData }) => ({
            functionCall: { ...named(id), name, args: inputOf(text) },
            // Gemini rejects its own calls without the signature that came with them.
            ...providerData?.[platform],
          })),
        ],
      };
    case "tool": {
      const { toolCallId: id, toolName: name, output, isError } = message;
      return {
        role: "user",
        parts: [
          { functionResponse: { ...named(id), name, response: isError ? { error: output } : { content: output } } },
        ],
      };
    }
  }
}

function picturesOf(message: SentMessage): readonly object[] {
  if (message.role !== "user") return [];
  return (message.images ?? []).map(({ name, mediaType }) => ({
    inlineData: { mimeType: mediaType, data: placeholderOf(name) },
  }));
}
