import type { ServerResponse } from "node:http";

/** Why a reply is incomplete. */
export type IncompleteReason = "length" | "content_filter";

/** How a scripted reply is written in one of OpenAI's two APIs. */
export interface ScriptedWire {
  say(delta: string): void;
  /** Sends a piece of reasoning, which ends with the next text or call. */
  think(delta: string): void;
  callTool(call: { readonly id: string; readonly name: string; readonly text: string }): void;
  /** Ends the reply; 11 prompt and 7 completion tokens, of which some may be of a kind. */
  finish(reason?: IncompleteReason, kinds?: TokenKinds): void;
}

/** The tokens of a reply that are of a kind. */
export interface TokenKinds {
  readonly cached?: number;
  readonly written?: number;
  readonly reasoning?: number;
}

/** Writes a reply as Chat Completions does. */
export function chatWire(response: ServerResponse, model: string): ScriptedWire {
  let toolCalls = 0;
  function sendChoice(choice: object, rest: object = {}): void {
    const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model };
    sendData(response, { ...head, choices: [{ index: 0, ...choice }], ...rest });
  }
  return {
    say: (content) => sendChoice({ delta: { role: "assistant", content }, finish_reason: null }),
    think: (thought) => sendChoice({ delta: { role: "assistant", reasoning_content: thought }, finish_reason: null }),
    callTool({ id, name, text }) {
      const call = { index: toolCalls, id, type: "function", function: { name, arguments: text } };
      toolCalls += 1;
      sendChoice({ delta: { role: "assistant", tool_calls: [call] }, finish_reason: null });
    },
    finish(reason, { cached = 0, reasoning = 0 } = {}) {
      const usage = {
        prompt_tokens: 11,
        completion_tokens: 7,
        total_tokens: 18,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens_details: { reasoning_tokens: reasoning },
      };
      sendChoice({ delta: {}, finish_reason: reason ?? (toolCalls > 0 ? "tool_calls" : "stop") }, { usage });
      sendData(response, "[DONE]");
      response.end();
    },
  };
}

/** Writes a reply as the Responses API does. */
export function responsesWire(response: ServerResponse, model: string): ScriptedWire {
  let items = 0;
  let message: { readonly index: number; text: string } | undefined;
  let thought: { readonly index: number; text: string } | undefined;

  function send(type: string, fields: object): void {
    if (!response.headersSent) {
      start(response);
      const created = { id: "resp_1", object: "response", created_at: 1, status: "in_progress", model };
      sendData(response, { type: "response.created", response: created });
    }
    sendData(response, { type, ...fields });
  }

  function endMessage(): void {
    if (message === undefined) return;
    const { index, text } = message;
    message = undefined;
    send("response.output_item.done", {
      output_index: index,
      item: { ...messageItem(index), status: "completed", content: [{ type: "output_text", text, annotations: [] }] },
    });
  }

  function endThought(): void {
    if (thought === undefined) return;
    const { index, text } = thought;
    thought = undefined;
    const place = { item_id: `rs_${index}`, output_index: index, summary_index: 0 };
    send("response.reasoning_summary_part.done", { ...place, part: { type: "summary_text", text } });
    const summary = [{ type: "summary_text", text }];
    send("response.output_item.done", { output_index: index, item: { ...reasoningItem(index), summary } });
  }

  return {
    think(delta) {
      endMessage();
      if (thought === undefined) {
        thought = { index: items, text: "" };
        items += 1;
        const { index } = thought;
        send("response.output_item.added", { output_index: index, item: reasoningItem(index) });
        const place = { item_id: `rs_${index}`, output_index: index, summary_index: 0 };
        send("response.reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } });
      }
      thought.text += delta;
      const { index } = thought;
      send("response.reasoning_summary_text.delta", {
        item_id: `rs_${index}`,
        output_index: index,
        summary_index: 0,
        delta,
      });
    },
    say(delta) {
      endThought();
      if (message === undefined) {
        message = { index: items, text: "" };
        items += 1;
        send("response.output_item.added", { output_index: message.index, item: messageItem(message.index) });
      }
      message.text += delta;
      const item_id = messageItem(message.index).id;
      send("response.output_text.delta", { item_id, output_index: message.index, content_index: 0, delta });
    },
    callTool({ id, name, text }) {
      endThought();
      endMessage();
      const output_index = items;
      items += 1;
      const item = { type: "function_call", id: `fc_${output_index}`, call_id: id, name };
      send("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } });
      send("response.output_item.done", { output_index, item: { ...item, arguments: text, status: "completed" } });
    },
    finish(reason, { cached = 0, written = 0, reasoning = 0 } = {}) {
      endThought();
      endMessage();
      const usage = {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: 18,
      };
      const status = reason === undefined ? "completed" : "incomplete";
      const why = reason === "length" ? "max_output_tokens" : reason;
      send(`response.${status}`, {
        response: {
          id: "resp_1",
          object: "response",
          created_at: 1,
          status,
          ...(why !== undefined && { incomplete_details: { reason: why } }),
          model,
          output: [],
          usage,
        },
      });
      response.end();
    },
  };
}

function reasoningItem(index: number) {
  return { type: "reasoning", id: `rs_${index}`, encrypted_content: `encrypted-${index}`, summary: [] };
}

function messageItem(index: number) {
  return { type: "message", id: `msg_${index}`, role: "assistant", status: "in_progress", content: [] };
}

function start(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
}

function sendData(response: ServerResponse, data: unknown): void {
  start(response);
  response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}
