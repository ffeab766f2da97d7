import { expect, test } from "vitest";
import { pauseNote } from "./pause-note.ts";

const value = { model: "m", try: 2, of: 4, message: "The provider is overloaded.", retry_in_ms: 1_250 };

test("a failed model call is shown with its reason, the number of the next try and the pause", () => {
  const note = pauseNote({ type: "CUSTOM", timestamp: 1, name: "model_retry", value });
  expect(note).toBe("↻ The provider is overloaded. · try 2 of 4 in 1.3 s");
});

test("a wait for a budget is shown with its reason", () => {
  const message = "The workspace's daily budget of $5 can't cover the next model call.";
  const note = pauseNote({ type: "CUSTOM", timestamp: 1, name: "budget_wait", value: { step: "model:0", message } });
  expect(note).toBe(`Waiting for a budget: ${message}`);
});

test("a wait for a rate limit is shown with its reason", () => {
  const message = "The rate limit of gpt-4o is in use. The call is made at about 12:00:00 UTC.";
  const note = pauseNote({ type: "CUSTOM", timestamp: 1, name: "model_wait", value: { step: "model:0", message } });
  expect(note).toBe(`Waiting for a rate limit: ${message}`);
});

test("a summary of older turns is shown", () => {
  const message = "The conversation became long: a summary is in the place of its older turns.";
  const event = {
    type: "CUSTOM",
    timestamp: 1,
    name: "turns_summarized",
    value: { step: "summary:9:0", message },
  } as const;
  expect(pauseNote(event)).toBe(message);
});

test("other events are no pauses", () => {
  expect(pauseNote({ type: "CUSTOM", timestamp: 1, name: "run_resumed", value })).toBeUndefined();
  expect(pauseNote({ type: "CUSTOM", timestamp: 1, name: "model_retry", value: {} })).toBeUndefined();
});
