import type { ServerResponse } from "node:http";
import { checkAnthropic } from "./anthropic-rules.ts";
import { createAnthropicCache, prefixOf, signatureOf, anthropicRequest } from "./anthropic-request.ts";
import type { AnthropicRequest } from "./anthropic-request.ts";
import { argumentsOf, Rejection, sendEvent, startStrictServer } from "./strict-server.ts";
import type { StrictPart, StrictReply, StrictServer } from "./strict-server.ts";
import { digest } from "./tokens.ts";

const FINISH = { call: "tool_use", other: "end_turn" };

/** Starts Anthropic's Messages API. It thinks, signs and caches as documented. */
export function startAnthropic(): Promise<StrictServer> {
  const cache = createAnthropicCache();
  const thoughtful = new Set<string>();
  return startStrictServer({
    basePath: "/v1",
    reply({ body }) {
      checkAnthropic(body);
      const request = anthropicRequest.parse(body);
      checkKept(request, thoughtful);
      return (response, reply) => {
        const isThoughtful = reply.parts.some(({ type }) => type === "reasoning");
        thoughtful[isThoughtful ? "add" : "delete"](digest(request.model, prefixOf(request)));
        write(response, { request, reply, usage: cache.read(request) });
      };
    },
  });
}

/** Tool calls that came with thinking are answered together with it. */
function checkKept(request: AnthropicRequest, thoughtful: ReadonlySet<string>): void {
  const index = request.messages.findLastIndex(({ role }) => role === "assistant");
  const [first, ...others] = request.messages[index]?.content ?? [];
  if (first === undefined || !thoughtful.has(digest(request.model, prefixOf(request, index)))) return;
  if ([first, ...others].some(({ type }) => type === "thinking")) return;
  const message = `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`.`;
  throw new Rejection(400, { type: "error", error: { type: "invalid_request_error", message } });
}

interface Answer {
  readonly request: AnthropicRequest;
  readonly reply: StrictReply;
  readonly usage: Readonly<Record<string, number>>;
}

function write(response: ServerResponse, { request, reply, usage }: Answer): void {
  const send = (type: string, fields: object) => sendEvent(response, { type, ...fields }, type);
  const { parts, finish = parts.some(({ type }) => type === "call") ? FINISH.call : FINISH.other } = reply;
  const message = { id: "msg_1", type: "message", role: "assistant", model: request.model, content: [] };
  send("message_start", { message: { ...message, stop_reason: null, usage: { ...usage, output_tokens: 1 } } });
  send("ping", {});
  parts.forEach((part, index) => {
    const [block, ...deltas] = blockOf(part, request);
    send("content_block_start", { index, content_block: block });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason: finish, stop_sequence: null }, usage: { output_tokens: 7 } });
  send("message_stop", {});
  response.end();
}

/** The block at its start, and what follows. Thinking is shown only to those who ask for it. */
function blockOf(part: StrictPart, request: Answer["request"]): readonly object[] {
  switch (part.type) {
    case "text":
      return [
        { type: "text", text: "" },
        { type: "text_delta", text: part.text },
      ];
    case "reasoning": {
      const thinking = request.thinking?.display === "summarized" ? part.text : "";
      const signature = signatureOf(request.model, { prefix: prefixOf(request), thinking });
      return [
        { type: "thinking", thinking: "", signature: "" },
        ...(thinking === "" ? [] : [{ type: "thinking_delta", thinking }]),
        { type: "signature_delta", signature },
      ];
    }
    case "call": {
      const id = part.id ?? "toolu_1";
      return [
        { type: "tool_use", id, name: part.name, input: {} },
        { type: "input_json_delta", partial_json: argumentsOf(part) },
      ];
    }
  }
}
