import { z } from "zod";
import type { StrictChatMessage, StrictChatRequest } from "./chat-wire.ts";
import { openAiRefusal } from "./openai-words.ts";
import { Rejection } from "./strict-server.ts";

const SIGNATURE = "c2lnbmVk";
const parts = z.array(z.looseObject({ type: z.string(), image_url: z.looseObject({ url: z.string() }).optional() }));

/** https://docs.ollama.com/api/openai-compatibility; the words as in its source, `server/routes.go` and `openai/openai.go`. */
export function checkOllama({ model, messages, tools = [], reasoning_effort: effort }: StrictChatRequest): void {
  if (model.startsWith("plain") && tools.length > 0) {
    openAiRefusal(`registry.ollama.ai/library/${model}:latest does not support tools`);
  }
  if (model.startsWith("plain") && effort !== undefined && effort !== "none") {
    openAiRefusal(`"${model}" does not support thinking`);
  }
  for (const message of messages) {
    if (message.content == null && message.tool_calls === undefined)
      openAiRefusal("invalid message content type: <nil>");
    checkArguments(message, "invalid tool call arguments");
    const images = parts.safeParse(message.content).data?.flatMap(({ image_url: image }) => image?.url ?? []) ?? [];
    if (images.some((url) => !url.startsWith("data:"))) openAiRefusal("invalid image input");
  }
}

/**
 * https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html; the template of a model whose name begins with
 * `alternating` wants roles to alternate.
 */
export function checkVllm({ model, messages }: StrictChatRequest): void {
  const turns = messages.filter(({ role }) => role !== "system");
  const repeated = turns.some(({ role }, index) => role !== "tool" && role === turns[index - 1]?.role);
  if (messages.some(({ role }, index) => role === "system" && index > 0))
    refuse("System message must be at the beginning.");
  if (repeated && model.startsWith("alternating"))
    refuse("Conversation roles must alternate user/assistant/user/assistant/...");
  function refuse(message: string): never {
    throw new Rejection(400, { error: { message, type: "BadRequestError", param: null, code: 400 } });
  }
}

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md */
export function checkLlamaCpp({ messages }: StrictChatRequest): void {
  for (const message of messages) checkArguments(message, "Failed to parse tool call arguments as JSON");
  if (messages.at(-1)?.role === "assistant") {
    const message = "Assistant response prefill is incompatible with enable_thinking.";
    throw new Rejection(400, { error: { code: 400, message, type: "invalid_request_error" } });
  }
}

/** Pieces as OpenRouter streams them: a signature comes last, on its own. */
export function openRouterReasoning(text: string): readonly object[] {
  const detail = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
  const at = Math.floor(text.length / 2);
  return [
    ...[text.slice(0, at), text.slice(at)].map((piece) => ({
      reasoning: piece,
      reasoning_details: [{ ...detail, text: piece, signature: null }],
    })),
    { reasoning_details: [{ ...detail, signature: SIGNATURE }] },
  ];
}

const signed = z.array(
  z.looseObject({
    type: z.literal("reasoning.text"),
    format: z.literal("anthropic-claude-v1"),
    text: z.string().min(2),
    signature: z.literal(SIGNATURE),
  }),
);

/** https://openrouter.ai/docs/use-cases/reasoning-tokens: the vendor behind it wants its thinking back, with its signature. */
export function checkOpenRouter({ messages }: StrictChatRequest): void {
  messages.forEach(({ reasoning_content: own, reasoning_details: details }, index) => {
    if (own === undefined && (details === undefined || signed.safeParse(details).success)) return;
    const message = `messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block`;
    const raw = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
    throw new Rejection(400, {
      error: { message: "Provider returned error", code: 400, metadata: { raw, provider_name: "Anthropic" } },
      user_id: "user_1",
    });
  });
}

/** https://docs.x.ai/docs/guides/reasoning: its newest models do not take an effort. */
export function checkXai({ model, reasoning_effort: effort, ...request }: StrictChatRequest): void {
  const fields = { reasoningEffort: effort, stop: request["stop"], presencePenalty: request["presence_penalty"] };
  const [field] = Object.entries(fields).find(([, value]) => value !== undefined) ?? [];
  if (field === undefined) return;
  throw new Rejection(400, {
    code: "Client specified an invalid argument",
    error: `Model ${model} does not support parameter ${field}.`,
  });
}

function checkArguments({ tool_calls: made = [] }: StrictChatMessage, words: string): void {
  for (const { function: called } of made) {
    try {
      z.record(z.string(), z.unknown()).parse(JSON.parse(called.arguments));
    } catch {
      openAiRefusal(words);
    }
  }
}
