import { expect, test } from "vitest";
import { redact } from "./redact.ts";

test("the connection's own secret is removed wherever it is", () => {
  expect(redact("bad my-own-secret (my-own-secret)", "my-own-secret")).toBe("bad [redacted] ([redacted])");
});

test.each([
  ["Incorrect API key provided: sk-ab***********xyz.", "Incorrect API key provided: [redacted]."],
  ["GET /v1beta/models?key=abcdefgh12345678&alt=sse", "GET /v1beta/models?key=[redacted]&alt=sse"],
  ["header Authorization: Bearer abc.def-ghi", "header Authorization: Bearer [redacted]"],
  ["api_key: 'abcdefgh1234'", "api_key: '[redacted]'"],
  ["access_token=abcdefgh1234 expired", "access_token=[redacted] expired"],
  ["key AIzaSyA-1234567890 was rejected", "key [redacted] was rejected"],
])("text that looks like a credential is removed: %s", (message, expected) => {
  expect(redact(message, undefined)).toBe(expected);
});

test("an ordinary message stays unchanged", () => {
  const message = "The model `gpt-9` does not exist or you do not have access to it.";
  expect(redact(message, "another-secret")).toBe(message);
});

test("a very long message is cut", () => {
  expect(redact("x".repeat(5_000), undefined)).toHaveLength(1_000);
});
