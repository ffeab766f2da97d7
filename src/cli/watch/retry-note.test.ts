import { expect, test } from "vitest";
import { retryNote } from "./retry-note.ts";

const value = { model: "m", try: 2, of: 4, message: "The provider is overloaded.", retry_in_ms: 1_250 };

test("a failed model call is shown with its reason, the number of the next try and the pause", () => {
  const note = retryNote({ type: "CUSTOM", timestamp: 1, name: "model_retry", value });
  expect(note).toBe("↻ The provider is overloaded. · try 2 of 4 in 1.3 s");
});

test("other events are no retries", () => {
  expect(retryNote({ type: "CUSTOM", timestamp: 1, name: "run_resumed", value })).toBeUndefined();
  expect(retryNote({ type: "CUSTOM", timestamp: 1, name: "model_retry", value: {} })).toBeUndefined();
});
