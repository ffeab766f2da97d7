import { expect, test } from "vitest";
import type { RunEvent } from "../../../api/live-stream.ts";
import type { StepRow } from "../../records/run-head.ts";
import { retryNote } from "./retry-note.ts";

let seq = 0;
const custom = (name: string, value: object): RunEvent => ({ run: "r", seq: (seq += 1), type: "CUSTOM", name, value });
const retry = (step: string, nth: number) => custom("model_retry", { step, try: nth, of: 4, message: "Overloaded." });
const row = (key: string, status: StepRow["status"] = "running"): StepRow => ({ key, kind: "model", status });

test("a call that is made once more says why, until another process makes it from the beginning", () => {
  const events = [retry("model:0", 2), retry("turn:1/model:0", 2), retry("model:0", 3)];
  expect(retryNote(events, row("model:0"))).toBe("Try 3 of 4 of the model call: Overloaded.");
  expect(retryNote(events, row("model:1"))).toBeUndefined();
  expect(retryNote(events, row("model:0", "completed"))).toBeUndefined();
  expect(retryNote([...events, custom("run_resumed", { reason: "crash" })], row("model:0"))).toBeUndefined();
});
