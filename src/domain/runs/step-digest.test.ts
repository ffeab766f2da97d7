import { expect, test } from "vitest";
import { stepDigest } from "./step-digest.ts";

const reply = (id: string, text: string) => {
  const toolCalls = [{ id, name: "send", arguments: "{}" }];
  return JSON.stringify({ ok: true, reply: { text, toolCalls, usage: { id }, messageId: id, answeredAt: id } });
};

test("a digest covers what was sent and answered, but no ids and times", () => {
  const digest = stepDigest({ messages: [] }, reply("call_1", "Sent."));
  expect(digest).toMatch(/^[\w-]{12}$/);
  expect(stepDigest({ messages: [] }, reply("call_2", "Sent."))).toBe(digest);
  expect(stepDigest({ messages: [] }, reply("call_1", "Sent!"))).not.toBe(digest);
  expect(stepDigest({ messages: [{ role: "user", content: "Hi" }] }, reply("call_1", "Sent."))).not.toBe(digest);
});
