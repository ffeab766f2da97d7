import { once } from "node:events";
import { IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { TaskOf } from "../interactions.ts";
import type { ProviderReply } from "../scripted-provider.ts";
import type { ReceivedEvent, StreamService } from "../sse-client.ts";

const BETWEEN_WORDS_MS = 10;
const WORDS = 300;
/** In the log a word takes twice its length, so the stream has about 12 MB: more than sockets hold. */
const WORD = "x".repeat(20_000);
/** The text of {@link sayMegabytes}. */
export const MEGABYTES = WORD.repeat(WORDS);

/** Opens a stream whose bytes stay in the socket: a response is not read before its data is requested. */
export async function openStalled(service: StreamService, { agentId, taskId }: TaskOf): Promise<IncomingMessage> {
  const call = request(`${service.url}/ag-ui/${agentId}/sse`, {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${service.keys.agui}` },
  });
  call.end(JSON.stringify({ threadId: taskId }));
  const [response] = await once(call, "response");
  if (!(response instanceof IncomingMessage)) throw new Error("There is no response.");
  expect(response.statusCode).toBe(200);
  return response;
}

/** Reads stalled streams to their end and expects the events that another reader received. */
export async function expectReceived(
  stalled: readonly IncomingMessage[],
  events: readonly ReceivedEvent[],
): Promise<void> {
  const frames = events.map(({ sseId, text: data }) => `id: ${sseId}\ndata: ${data}\n\n`).join("");
  for (const received of await Promise.all(stalled.map((response) => text(response)))) {
    const data = received.replace(": connected\n\n", "").replaceAll(": heartbeat\n\n", "");
    // Not by toBe: a difference of megabytes cannot be shown.
    expect(data === frames).toBe(true);
  }
}

/** Replies with {@link MEGABYTES}, word by word. */
export async function sayMegabytes(reply: ProviderReply): Promise<void> {
  for (let word = 0; word < WORDS; word++) {
    reply.say(WORD);
    await sleep(BETWEEN_WORDS_MS);
  }
  reply.finish();
}
