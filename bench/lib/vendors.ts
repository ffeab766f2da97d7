import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A server that speaks the APIs of several vendors, in this process: a reply has as many chunks as its prompt says. */
export async function startVendors(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const [, chunks = "1"] = / (\d+)x0/.exec(await text(request)) ?? [];
    const words = Array.from({ length: Number(chunks) }, () => "word ");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = Object.entries(APIS).find(([path]) => request.url?.endsWith(path))?.[1](words) ?? [];
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end(request.url?.endsWith("/chat/completions") === true ? "data: [DONE]\n\n" : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  return { url: `http://127.0.0.1:${address.port}/v1`, close: () => server.close() };
}

type Events = readonly (object & { readonly type: string })[];

const APIS: Readonly<Record<string, (words: readonly string[]) => Events>> = {
  "/messages": (words) => [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "bench",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...words.map((word) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: word },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ],
  "/responses": (words) => {
    const item = { type: "message", id: "msg_1", role: "assistant", status: "completed" };
    const response = { id: "resp_1", object: "response", created_at: 1, model: "bench", output: [] };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const content = [{ type: "output_text", text: words.join(""), annotations: [] }];
    return [
      { type: "response.created", response: { ...response, status: "in_progress" } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
      ...words.map((delta) => ({
        type: "response.output_text.delta",
        item_id: "msg_1",
        output_index: 0,
        content_index: 0,
        delta,
      })),
      { type: "response.output_item.done", output_index: 0, item: { ...item, content } },
      { type: "response.completed", response: { ...response, status: "completed", usage } },
    ];
  },
  "/chat/completions": (words) => {
    const chunk = (delta: object, finish: string | null) => ({
      type: "chunk",
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "bench",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    return [...words.map((content) => chunk({ content }, null)), { ...chunk({}, "stop"), usage }];
  },
};
