import { expect, test } from "vitest";
import type { RunEvent } from "../../../api/live-stream.ts";
import { NO_WAITS, addWaits } from "./budget-waits.ts";

let seq = 0;
const custom = (name: string, value: object): RunEvent => {
  seq += 1;
  return { run: "r", seq, type: "CUSTOM", timestamp: seq * 1_000, name, value };
};
const begins = () => custom("budget_wait", { step: "model:0", message: "No room." });

test("a wait lasts until it is over, and none outlasts its process", () => {
  const begun = addWaits(NO_WAITS, [begins()]);
  expect([...begun]).toEqual([["model:0", { from: 1_000, to: undefined, reason: "No room." }]]);
  expect(addWaits(begun, [custom("budget_wait_over", { step: "model:0" })]).get("model:0")?.to).toBe(2_000);
  expect(addWaits(begun, [custom("run_resumed", { reason: "crash", from_step: null })]).size).toBe(0);
  expect(addWaits(begun, [custom("model_retry", { model: "m" })])).toBe(begun);
});

test("a wait for a rate limit that is put off again has begun when it first did", () => {
  const waits = (message: string) => custom("model_wait", { step: "model:1", message });
  const [first, again, over] = [
    waits("Until 12:00."),
    waits("Until 12:01."),
    custom("model_wait_over", { step: "model:1" }),
  ];
  const begun = addWaits(NO_WAITS, [first]);
  const later = addWaits(begun, [again]);
  const from = begun.get("model:1")?.from;
  expect(later.get("model:1")).toEqual({ from, to: undefined, reason: "Until 12:01." });
  expect(addWaits(later, [over]).get("model:1")?.to).toBe(seq * 1_000);
});
