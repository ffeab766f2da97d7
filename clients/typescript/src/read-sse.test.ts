import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSse } from "./read-sse.ts";
import type { SseEvent } from "./read-sse.ts";

async function* inPieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const ends = [...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function read(text: string, cuts: readonly number[] = []): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const event of readSse(inPieces(new TextEncoder().encode(text), cuts))) events.push(event);
  return events;
}

describe("readSse", () => {
  it.each([
    ["an event with an id", "id: 7\ndata: x\n\n", [{ id: "7", data: "x" }]],
    [
      "an event without an id, behind one that had one",
      "id: 7\ndata: a\n\ndata: b\n\n",
      [
        { id: "7", data: "a" },
        { id: "7", data: "b" },
      ],
    ],
    ["data of several lines", "data: a\ndata:\ndata: b\n\n", [{ id: "", data: "a\n\nb" }]],
    ["lines that end with CRLF", "data: a\r\ndata: b\r\n\r\n", [{ id: "", data: "a\nb" }]],
    ["lines that end with CR", "data: a\rdata: b\r\r", [{ id: "", data: "a\nb" }]],
    ["a value without a space, and one with two", "data:a\ndata:  b\n\n", [{ id: "", data: "a\n b" }]],
    ["a value with colons", 'data: {"a":1}\n\n', [{ id: "", data: '{"a":1}' }]],
    ["comments and unknown fields", ": heartbeat\n\nretry: 5\nevent: e\ndata: a\n\n", [{ id: "", data: "a" }]],
    ["a byte order mark", "\u{feff}data: a\n\n", [{ id: "", data: "a" }]],
    ["an id with a null character, which does not count", "id: 1\0\ndata: a\n\n", [{ id: "", data: "a" }]],
    ["an event that the stream aborts", "data: a\n\ndata: b\n", [{ id: "", data: "a" }]],
  ])("reads %s", async (_what, stream, events) => {
    expect(await read(stream)).toEqual(events);
  });

  it("waits with a line's end that may be half of a CRLF", async () => {
    expect(await read("data: a\r\n\r\ndata: b\r\n\r\n", [8, 9, 10, 11, 12])).toEqual([
      { id: "", data: "a" },
      { id: "", data: "b" },
    ]);
  });

  it("gives the same events for any split of the bytes, also within a character", async () => {
    const piece = fc.constantFrom(
      "data",
      "id",
      ":",
      " ",
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "é",
      "漢",
      "🚀",
      "\0",
      "{}",
      "\u{feff}",
    );
    const stream = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(stream, cuts, async (text, places) => {
        expect(await read(text, places)).toEqual(await read(text));
      }),
      { numRuns: 500 },
    );
  });

  it("returns every written event, split at every byte", async () => {
    const event = fc.record({
      id: fc.nat().map(String),
      data: fc.string({ unit: "grapheme" }).map((s) => JSON.stringify(s)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 5 }), fc.constantFrom("\n", "\r\n", "\r"), async (events, end) => {
        const text = events.map(({ id, data }) => `id: ${id}${end}data: ${data}${end}${end}`).join("");
        const everywhere = Array.from({ length: new TextEncoder().encode(text).length }, (_, index) => index);
        expect(await read(text, everywhere)).toEqual(events);
      }),
    );
  });
});
