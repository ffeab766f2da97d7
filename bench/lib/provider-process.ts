/**
 * A fake of OpenAI's chat API in its own process: answers at once, with as many chunks as the
 * prompt's last word says, at the pace it says (`20x15`: 20 chunks, one every 15 ms).
 * Each chunk is the time at which it was sent, so that a reader can tell how long it was in progress.
 * A prompt that says so (`in-words`) gets English words instead, which compress as answers do.
 * A prompt that says so (`with-tool`) is answered with a tool call first, and with words when its result is there.
 * A prompt that says so (`floods`) gets chunks of 64 kB for as long as they are read.
 * An agent with the tool delegate_to_worker first delegates as often as the prompt says
 * (`delegates 10 to <agent>`), all at once.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const TOOL_CALL = {
  tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "current_time", arguments: "{}" } }],
};

const WORDS =
  `the of and to in a is that for it as was with be by on not he his but at are this have from or had an they
  which one you were her all she there would their we him been has when who will more no if out so said what up its about
  into than them can only other new some could time these two may then do first any my now such like our over man me even
  most made after also did many before must through back years where much your way well down should because each just
  those people how too little state good very make world still own see men work long get here between both life being
  under never day same another know while last might us great old year off come since against go came right used take
  three database schedule workspace customer invoice shipment report quarter revenue`.split(/\s+/);

const server = createServer((request, response) => {
  // Like other services with OpenAI's older API only; the service under test notices.
  if (request.url?.endsWith("/responses") === true) {
    request.resume();
    response.writeHead(404).end();
    return;
  }
  const receivedAt = now();
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => void answer(response, body, receivedAt));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));

async function answer(response: ServerResponse, body: string, receivedAt: number): Promise<void> {
  const [, id = "", count = "1", pause = "0"] = /bench-(\w+) (\d+)x(\d+)/.exec(body) ?? [];
  process.send?.({ id, receivedAt });
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  if (body.includes("floods")) return flood(response);
  if (body.includes("with-tool") && !body.includes('"role":"tool"')) return end(response, "tool_calls", TOOL_CALL);
  const delegates = /delegates (\d+) to ([0-9a-f-]+)/.exec(body);
  if (delegates !== null && !body.includes('"role":"tool"')) return delegate(response, id, delegates);
  for (let i = 0; i < Number(count); i++) {
    if (Number(pause) > 0) await sleep(Number(pause));
    const content = body.includes("in-words") ? `${WORDS[Math.floor(Math.random() * WORDS.length)]} ` : `${now()} `;
    response.write(chunk({ delta: { content }, finish_reason: null }));
  }
  end(response, "stop", {});
}

async function flood(response: ServerResponse): Promise<void> {
  const text = Buffer.from(chunk({ delta: { content: "word ".repeat(13_107) }, finish_reason: null }));
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  while (!closed.signal.aborted) {
    if (!response.write(text)) await once(response, "drain", { signal: closed.signal }).catch(() => undefined);
  }
}

function end(response: ServerResponse, reason: string, delta: object): void {
  response.write(chunk({ delta, finish_reason: reason }));
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  response.end(
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [], usage })}\n\ndata: [DONE]\n\n`,
  );
}

/** Ends the answer with calls of the tool that gives work to others. */
function delegate(response: ServerResponse, id: string, [, times, worker]: RegExpExecArray): void {
  const calls = Array.from({ length: Number(times) }, (_, index) => {
    const given = { agent_id: worker, instruction: `Part ${index} of bench-${id} 1x0` };
    return { name: "delegate_to_worker", arguments: JSON.stringify(given) };
  }).map((made, index) => ({ index, id: `call_${index}`, type: "function", function: made }));
  end(response, "tool_calls", { tool_calls: calls });
}

function chunk(choice: object): string {
  const event = { id: "c", object: "chat.completion.chunk", model: "gpt-4o", choices: [{ index: 0, ...choice }] };
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Milliseconds on a clock that all processes of the machine share. */
function now(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1_000) / 1_000;
}
