import { expect, test } from "vitest";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { plainParts } from "#domain/models/reply-parts.ts";
import { countOlder, digestOfReply, endOfReplies, transcriptOf } from "./older-turns.ts";

const system: ModelMessage = { role: "system", content: "S" };
const asks: ModelMessage = { role: "user", content: "Read all." };

/** A reply with calls, and their results. */
function turn(number: number, results = 1, output = "x".repeat(100)): ModelMessage[] {
  const ids = Array.from({ length: results }, (_, index) => `${number}.${index}`);
  const calls = ids.map((id) => ({ id, name: "read", arguments: `{"part":"${id}"}` }));
  return [
    { role: "assistant", parts: plainParts(`Turn ${number}.`, calls) },
    ...ids.map((id) => ({ role: "tool", toolCallId: id, toolName: "read", output, isError: false }) as const),
  ];
}

const conversation = [system, asks, ...turn(0), ...turn(1, 3), ...turn(2), ...turn(3)];
const kept = (tokens: number) => ({ tokens, sizeOf: () => 10 });

test("as many of the newest turns stay as fit, and at least the last one", () => {
  expect([20, 40, 80, 1_000].map((tokens) => countOlder(conversation, kept(tokens)))).toEqual([3, 2, 1, 1]);
  expect(countOlder(conversation, kept(0))).toBe(3);
  expect(countOlder([system, asks, ...turn(0)], kept(0))).toBe(0);
  expect(countOlder([system, asks], kept(0))).toBe(0);
});

test("older turns end before a reply, so results stay with their calls", () => {
  expect([0, 1, 2, 4].map((replies) => endOfReplies(conversation, replies))).toEqual([2, 4, 8, conversation.length]);
});

test("a transcript has whole turns, as many as fit, and at least one", () => {
  const all = transcriptOf(conversation.slice(1), 10_000);
  expect(all.replies).toBe(4);
  expect(all.text).toContain(
    '[user]\nRead all.\n\n[agent]\nTurn 0.\n(calls read with {"part":"0.0"})\n\n[result of read]\nx',
  );
  const some = transcriptOf(conversation.slice(1), 800);
  expect([some.replies, some.text.includes("Turn 2.")]).toEqual([2, false]);
  const one = transcriptOf(conversation.slice(1), 60);
  expect(one.replies).toBe(1);
  expect(one.text).toContain("characters are left out here");
});

test("a reply is recognised by what it says", () => {
  const again = conversation.map((message) => structuredClone(message));
  expect(digestOfReply(again, 1)).toBe(digestOfReply(conversation, 1));
  expect(digestOfReply(again, 1)).not.toBe(digestOfReply(conversation, 2));
});
