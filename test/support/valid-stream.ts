import { runHttpRequest, transformHttpEventStream, verifyEvents } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { expect } from "vitest";
import { hasEnded } from "./sse-client.ts";
import type { ReceivedEvent } from "./sse-client.ts";

/**
 * Expects of a run's events that they are numbered without gap or repeat from the first one on, that each fits
 * AG-UI's own schema and has no null in it, that AG-UI's own client library finds their order right, and that what was
 * begun is ended exactly once.
 */
export async function expectWholeStream(events: readonly ReceivedEvent[]): Promise<void> {
  const first = events[0]?.id ?? 0;
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => first + index));
  for (const { event, text } of events) {
    expect(EventSchemas.safeParse(event).error?.message, text).toBeUndefined();
    expect(Object.values(event), text).not.toContain(null);
    expect(Number.isInteger(event.timestamp), text).toBe(true);
  }
  expect(events[0]?.event.type).toBe("RUN_STARTED");
  expect(events.findIndex((_, index) => hasEnded(events.slice(0, index + 1)))).toBe(events.length - 1);
  expectPairs(events, { begin: "TEXT_MESSAGE_START", end: "TEXT_MESSAGE_END", id: "messageId" });
  expectPairs(events, { begin: "REASONING_MESSAGE_START", end: "REASONING_MESSAGE_END", id: "messageId" });
  expectPairs(events, { begin: "TOOL_CALL_START", end: "TOOL_CALL_END", id: "toolCallId" });
  await expectOfficialOrder(events);
}

/** The texts of the messages, in the order in which they began. */
export function messagesIn(events: readonly ReceivedEvent[]): string[] {
  const texts = new Map<unknown, string>();
  for (const { event } of events) {
    if (event.type !== "TEXT_MESSAGE_CONTENT") continue;
    texts.set(event["messageId"], `${texts.get(event["messageId"]) ?? ""}${String(event["delta"])}`);
  }
  return [...texts.values()];
}

/** Events in which pieces of text next to each other are one: how many there are depends on their timing. */
export function withJoinedText(events: readonly ReceivedEvent[]): ReceivedEvent["event"][] {
  const joined: ReceivedEvent["event"][] = [];
  for (const { event } of events) {
    const last = joined.at(-1);
    if (event.type !== "TEXT_MESSAGE_CONTENT" || last?.type !== event.type) joined.push(event);
    else {
      const text = `${String(last["delta"])}${String(event["delta"])}`;
      joined.splice(-1, 1, { ...last, delta: text, content: text });
    }
  }
  return joined;
}

/** The types of the events, repeats of the same type next to each other folded into one. */
export function shapeOf(events: readonly ReceivedEvent[]): string[] {
  return events.map(({ event }) => event.type).filter((type, index, all) => type !== all[index - 1]);
}

/** The events of a type. */
export function ofType(events: readonly ReceivedEvent[], type: string): ReceivedEvent["event"][] {
  return events.map(({ event }) => event).filter((event) => event.type === type);
}

function expectPairs(
  events: readonly ReceivedEvent[],
  { begin, end, id }: { readonly begin: string; readonly end: string; readonly id: string },
): void {
  const begun = ofType(events, begin).map((event) => event[id]);
  const ended = ofType(events, end).map((event) => event[id]);
  expect([new Set(begun).size, ended.length]).toEqual([begun.length, begun.length]);
  expect(new Set(ended)).toEqual(new Set(begun));
}

/** Sends the events through the client library's own reader and check of order. */
function expectOfficialOrder(events: readonly ReceivedEvent[]): Promise<void> {
  const body = events.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`).join("");
  const answer = new Response(body, { headers: { "content-type": "text/event-stream" } });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let seen = 0;
  verifyEvents()(transformHttpEventStream(runHttpRequest(async () => answer))).subscribe({
    next: () => (seen += 1),
    error: reject,
    complete: resolve,
  });
  return promise.then(() => expect(seen).toBe(events.length));
}
