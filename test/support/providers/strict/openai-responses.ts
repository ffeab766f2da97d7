import type { ServerResponse } from "node:http";
import { z } from "zod";
import { checkResponses, encryptedOf, responsesRequest } from "./openai-responses-rules.ts";
import type { ResponsesRequest } from "./openai-responses-rules.ts";
import { argumentsOf, sendEvent, startStrictServer } from "./strict-server.ts";
import type { StrictPart, StrictReply, StrictRequest, StrictServer } from "./strict-server.ts";
import { createPrefixCache } from "./tokens.ts";

const CACHE = { minimum: 1_024, step: 128 };

/** Starts OpenAI's Responses API. It encrypts its reasoning, and caches automatically as documented. */
export function startOpenAiResponses(): Promise<StrictServer> {
  return startResponses("/v1");
}

/** Starts the Responses API at a path, with rules before OpenAI's own. @param check throws a Rejection */
export function startResponses(
  basePath: string,
  check: (request: StrictRequest) => void = () => undefined,
): Promise<StrictServer> {
  const cache = createPrefixCache(CACHE);
  return startStrictServer({
    basePath,
    reply(received) {
      check(received);
      const { body } = received;
      checkResponses(body);
      const request = responsesRequest.parse(body);
      const { tools = [], input, prompt_cache_key: key } = request;
      const { total, cached } = cache.read([tools, ...input], key);
      return (response, reply) => write(response, { request, reply, input: { total, cached } });
    },
  });
}

interface Answer {
  readonly request: ResponsesRequest;
  readonly reply: StrictReply;
  readonly input: { readonly total: number; readonly cached: number };
}

const RESPONSE = { id: "resp_1", object: "response", created_at: 1, output: [] };

function write(response: ServerResponse, { request, reply, input }: Answer): void {
  const { model } = request;
  const send = (type: string, fields: object) => sendEvent(response, { type, ...fields });
  send("response.created", { response: { ...RESPONSE, model, status: "in_progress" } });
  reply.parts.forEach((part, output_index) => {
    const [added, done] = itemOf(part, { index: output_index, request });
    send("response.output_item.added", { output_index, item: added });
    if (part.type === "text") {
      const item_id = z.looseObject({ id: z.string() }).parse(added).id;
      send("response.output_text.delta", { item_id, output_index, content_index: 0, delta: part.text });
    }
    send("response.output_item.done", { output_index, item: done });
  });
  const usage = {
    input_tokens: input.total,
    input_tokens_details: { cached_tokens: input.cached },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: input.total + 7,
  };
  const cut = reply.finish === undefined ? null : { reason: reply.finish };
  const [event, status] = cut === null ? ["response.completed", "completed"] : ["response.incomplete", "incomplete"];
  send(event ?? "", { response: { ...RESPONSE, model, status, incomplete_details: cut, usage } });
  response.end();
}

/** An item when it begins, and when it is complete. */
function itemOf(
  part: StrictPart,
  { index, request }: { readonly index: number; readonly request: ResponsesRequest },
): readonly [object, object] {
  switch (part.type) {
    case "text": {
      const item = { type: "message", id: `msg_${index}`, role: "assistant" };
      const content = [{ type: "output_text", text: part.text, annotations: [] }];
      return [
        { ...item, content: [] },
        { ...item, status: "completed", content },
      ];
    }
    case "reasoning": {
      const id = `rs_${index}`;
      const summary = request.reasoning?.summary == null ? [] : [{ type: "summary_text", text: part.text }];
      const item = { type: "reasoning", id, encrypted_content: encryptedOf(request.model, id) };
      return [
        { ...item, summary: [] },
        { ...item, summary },
      ];
    }
    case "call": {
      const item = { type: "function_call", id: `fc_${index}`, call_id: part.id ?? "call_1", name: part.name };
      return [
        { ...item, arguments: "", status: "in_progress" },
        { ...item, arguments: argumentsOf(part), status: "completed" },
      ];
    }
  }
}
