import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { ModelMessage, ReplyOrigin, ToolSpec } from "#domain/models/model-call.ts";
import type { ReplyPart } from "#domain/models/reply-parts.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/** The model that will receive a conversation, and the tools it is offered. */
export interface Receiver {
  readonly provider: string;
  readonly model: string;
  readonly tools: readonly ToolSpec[];
}

/** A conversation for a receiver, and the digest of it that its reply will belong to. */
export interface OwnedConversation {
  readonly messages: readonly ModelMessage[];
  readonly asked: string;
  /** The number of earlier replies whose reasoning was left out. */
  readonly leftOut: number;
}

/**
 * Decides which reasoning of earlier replies is sent back: only that of the same provider and model, after exactly the
 * same tools and messages. Providers bind signed and encrypted reasoning to all of these, and reject it elsewhere. The
 * other opaque data of such a reply is left out with it.
 */
export function keepOwnReasoning(messages: readonly ModelMessage[], receiver: Receiver): OwnedConversation {
  const hash = createHash("sha256").update(JSON.stringify(receiver.tools));
  let leftOut = 0;
  const kept = messages.map((message) => {
    const isOwn = message.role !== "assistant" || isFrom(message.origin, receiver, hash);
    hash.update(textOf(message));
    if (isOwn) return message;
    if (message.parts.some(({ type }) => type === "reasoning")) leftOut += 1;
    return withoutProviderData(message);
  });
  return { messages: kept, asked: digestOf(hash), leftOut };
}

function isFrom(origin: ReplyOrigin | undefined, { provider, model }: Receiver, hash: Hash): boolean {
  return origin?.provider === provider && origin.model === model && origin.asked === digestOf(hash);
}

function digestOf(hash: Hash): string {
  return hash.copy().digest("base64url");
}

/** The images' contents are left out: they follow from the names in a message that does not change. */
function textOf(message: ModelMessage): string {
  if (message.role !== "user") return JSON.stringify(message);
  const { role, content, images = [] } = message;
  return JSON.stringify({ role, content, images: images.map(({ name, data }) => [name, data.length]) });
}

function withoutProviderData(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.flatMap((part): ReplyPart[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [{ type: part.type, text: part.text }];
    const { providerData: _, ...call } = part.call;
    return [{ type: part.type, call }];
  });
  return { role: "assistant", parts };
}
