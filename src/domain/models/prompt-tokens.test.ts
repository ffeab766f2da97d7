import { expect, test } from "vitest";
import { estimateMessageTokens, estimatePromptTokens } from "./prompt-tokens.ts";

const short = { role: "system", content: "x".repeat(70) };
const long = { role: "user", content: "x".repeat(172) };

test("a prompt is estimated from the bytes of its text and the number of its images", () => {
  const prompt = { messages: [short], tools: [] };
  const bytes = Buffer.byteLength(JSON.stringify([[short], []]));
  expect(estimatePromptTokens(prompt, 2)).toBe(Math.ceil(bytes / 2));
  const pictured = { messages: [{ ...short, images: [{ data: "x".repeat(10_000) }] }], tools: [] };
  expect(estimatePromptTokens(pictured, 2)).toBe(Math.ceil(bytes / 2) + 6_000);
});

test("the reported tokens are divided among the messages and the tools by size", () => {
  const prompt = { messages: [short, long], tools: [] };
  // 100 and 200 bytes of JSON, and 2 of the empty list.
  expect([short, long].map((message) => JSON.stringify(message).length)).toEqual([100, 200]);
  expect(estimateMessageTokens(prompt, { reported: 302, bytesPerToken: 2 })).toEqual([100, 200]);
  expect(estimateMessageTokens(prompt, { reported: undefined, bytesPerToken: 2 })).toEqual([50, 100]);
  expect(estimateMessageTokens(prompt, { reported: 0, bytesPerToken: 4 })).toEqual([25, 50]);
});
