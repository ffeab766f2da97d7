import { z } from "zod";

/** Opaque provider data by provider name; stored with a part and sent back unchanged. */
const providerData = z.record(z.string(), z.record(z.string(), z.unknown()).readonly()).readonly();

/** The schema of a recorded {@link ToolCall}. */
export const toolCall = z
  .object({
    id: z.string(),
    name: z.string(),
    /** The arguments as the model wrote them: JSON text, not yet validated by the tool's schema. */
    arguments: z.string(),
    /** Data that the provider requires with the call in the next request (for example, Gemini's thought signature). */
    providerData: providerData.optional(),
  })
  .readonly();

/** A tool call that a model requests. */
export type ToolCall = z.output<typeof toolCall>;

const words = { text: z.string(), providerData: providerData.optional() };

/** The schema of a recorded {@link ReplyPart}. */
export const replyPart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), ...words }).readonly(),
  z.object({ type: z.literal("reasoning"), ...words }).readonly(),
  z.object({ type: z.literal("tool-call"), call: toolCall }).readonly(),
]);

/**
 * A part of a model's reply. The provider data of reasoning is its signature or its encrypted content: the provider
 * wants both text and data back unchanged.
 */
export type ReplyPart = z.output<typeof replyPart>;

/** Separates texts between which the model did something else. */
export const TEXT_GAP = "\n\n";

/**
 * Returns all text of a reply, as it was streamed: texts that follow each other directly are one; an empty line
 * separates those with another part between them.
 */
export function replyText(parts: readonly ReplyPart[]): string {
  return parts.reduce((text, part, index) => {
    if (part.type !== "text" || part.text === "") return text;
    return text + (text !== "" && parts[index - 1]?.type !== "text" ? TEXT_GAP : "") + part.text;
  }, "");
}

/** Returns the tool calls of a reply, in order. */
export function replyCalls(parts: readonly ReplyPart[]): readonly ToolCall[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part.call] : []));
}

/** Returns the parts of a reply that has text and tool calls only; an empty text is no part. */
export function plainParts(text: string, calls: readonly ToolCall[] = []): readonly ReplyPart[] {
  return [
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map((call) => ({ type: "tool-call", call }) as const),
  ];
}

/** Why a reply ended, in our words. */
export const FINISH_REASONS = ["stop", "tool_calls", "length", "content_filter", "refusal", "other"] as const;

/** One of {@link FINISH_REASONS}. */
export type FinishReason = (typeof FINISH_REASONS)[number];

/** The schema of a recorded {@link ReplyEnd}. */
export const replyEnd = z.object({ reason: z.enum(FINISH_REASONS), raw: z.string() }).readonly();

/** Why a reply ended: in our words, and in the provider's. */
export type ReplyEnd = z.output<typeof replyEnd>;
