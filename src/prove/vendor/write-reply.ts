import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ToolCall } from "./conversation.ts";

const WORDS = 8;
const WORD_MS = 8;
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** What a model replies. */
export interface Reply {
  /** Is in the text, and in the id of the tool call. */
  readonly mark: string;
  readonly toolCall: ToolCall | undefined;
  /** Called in the middle of the text, which waits for it. */
  readonly halfway: () => Promise<void>;
}

/** Streams a reply as OpenAI's Chat Completions do. */
export async function writeReply(response: ServerResponse, { mark, toolCall, halfway }: Reply): Promise<void> {
  const send = (choice: object, rest: object = {}) =>
    void response.write(
      `data: ${JSON.stringify({ id: mark, object: "chat.completion.chunk", created: 1, model: "proof", choices: [{ index: 0, finish_reason: null, ...choice }], ...rest })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  send({ delta: { role: "assistant", content: `${mark} ` } });
  for (let word = 0; word < WORDS; word++) {
    await sleep(WORD_MS);
    send({ delta: { content: `word${word} ` } });
    if (word === WORDS / 2) await halfway();
  }
  if (toolCall !== undefined) {
    const { name, args } = toolCall;
    const call = {
      index: 0,
      id: `call_${mark}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    };
    send({ delta: { tool_calls: [call] } });
  }
  send({ delta: {}, finish_reason: toolCall === undefined ? "stop" : "tool_calls" }, { usage: USAGE });
  response.end("data: [DONE]\n\n");
}
