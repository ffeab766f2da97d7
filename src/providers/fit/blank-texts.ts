import type { ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import type { FittedRequest } from "./fit-request.ts";

/** Stands for a message without text where one is required. */
const EMPTY = "(empty message)";

/**
 * Leaves out texts of white space only, which Anthropic rejects ("text content blocks must contain non-whitespace
 * text"): an empty system prompt, and blank text beside reasoning or tool calls. A person's empty message stays, with a
 * word in its place.
 */
export function dropBlankTexts(request: ModelRequest): FittedRequest {
  return { request: { ...request, messages: request.messages.flatMap(withoutBlankText) }, notes: [] };
}

function withoutBlankText(message: ModelMessage): ModelMessage[] {
  switch (message.role) {
    case "system":
      return isBlank(message.content) ? [] : [message];
    case "user":
      return [isBlank(message.content) ? { ...message, content: EMPTY } : message];
    case "assistant": {
      const parts = message.parts.filter((part) => part.type !== "text" || !isBlank(part.text));
      return parts.length === 0 ? [] : [{ ...message, parts }];
    }
    case "tool":
      return [message];
  }
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
