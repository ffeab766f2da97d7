import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { sseStream } from "./sse.ts";
import type { SseMessage } from "./sse.ts";

const NEVER = 60_000;
const onError = () => undefined;

test("each message is a frame with its id and its data", async () => {
  const stream = open(batches([[{ id: 1, data: '{"a":1}' }, message(2)], [message(3)]]));
  expect(await readAll(stream)).toBe(': connected\n\nid: 1\ndata: {"a":1}\n\nid: 2\ndata: {}\n\nid: 3\ndata: {}\n\n');
});

test("comments are sent during silence, and stop at the end", async () => {
  const silence = Promise.withResolvers<void>();
  async function* source() {
    await silence.promise;
    yield [message(1)];
  }
  const reader = open(source(), 1).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(": connected\n\n");
  expect((await reader.read()).value).toBe(": heartbeat\n\n");
  expect((await reader.read()).value).toBe(": heartbeat\n\n");
  silence.resolve();
  const rest: string[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value);
  expect(rest.join("").replaceAll(": heartbeat\n\n", "")).toBe("id: 1\ndata: {}\n\n");
});

verifies("ag-ui.sse.client-gone", "a reader that disconnects ends the source and is reported once", async () => {
  let returned = 0;
  let closed = 0;
  async function* source() {
    try {
      for (let id = 1; ; id++) yield [message(id)];
    } finally {
      returned += 1;
    }
  }
  const reader = sseStream(source(), { heartbeatMs: NEVER, onClose: () => (closed += 1), onError }).getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  expect({ returned, closed }).toEqual({ returned: 1, closed: 1 });
});

test("the source is read only as fast as the reader reads", async () => {
  let given = 0;
  async function* source() {
    for (;;) yield [message((given += 1))];
  }
  const reader = open(source()).getReader();
  await reader.read();
  await sleep(0);
  expect(given).toBeLessThan(3);
  await reader.cancel();
});

test("a source that fails ends the stream without a word, and is reported", async () => {
  const reported: unknown[] = [];
  const failure = new Error("no more");
  async function* source(): AsyncGenerator<readonly SseMessage[]> {
    yield [message(1)];
    throw failure;
  }
  const stream = sseStream(source(), {
    heartbeatMs: NEVER,
    onClose: () => reported.push("closed"),
    onError: (error) => reported.push(error),
  });
  expect(await readAll(stream)).toBe(": connected\n\nid: 1\ndata: {}\n\n");
  expect(reported).toEqual(["closed", failure]);
});

test("a reader that leaves while a batch is awaited closes the stream once, and nothing is reported", async () => {
  const reported: unknown[] = [];
  const silence = Promise.withResolvers<void>();
  async function* source(): AsyncGenerator<readonly SseMessage[]> {
    yield [message(1)];
    await silence.promise;
  }
  const reader = sseStream(source(), {
    heartbeatMs: NEVER,
    onClose: () => reported.push("closed"),
    onLeave: silence.resolve,
    onError: (error) => reported.push(error),
  }).getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  await sleep(0);
  expect(reported).toEqual(["closed"]);
});

function message(id: number): SseMessage {
  return { id, data: "{}" };
}

async function* batches(list: readonly (readonly SseMessage[])[]) {
  yield* list;
}

function open(source: AsyncIterable<readonly SseMessage[]>, heartbeatMs = NEVER): ReadableStream<Uint8Array> {
  return sseStream(source, { heartbeatMs, onClose: () => undefined, onError });
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}
