import type { ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import type { FittedRequest } from "./fit-request.ts";

/**
 * Moves a notice of the service into the result of the tool before it: some vendors forbid a user's message directly
 * after a tool's (Mistral: "Unexpected role 'user' after role 'tool'").
 */
export function moveNotices(request: ModelRequest): FittedRequest {
  const messages: ModelMessage[] = [];
  for (const message of request.messages) {
    const last = messages.at(-1);
    if (last?.role === "tool" && message.role === "user" && message.isNotice === true && message.images === undefined) {
      messages[messages.length - 1] = { ...last, output: `${last.output}\n\n${message.content}` };
    } else {
      messages.push(message);
    }
  }
  return { request: { ...request, messages }, notes: [] };
}
