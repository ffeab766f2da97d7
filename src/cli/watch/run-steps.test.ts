import { expect, test } from "vitest";
import { createRunSteps } from "./run-steps.ts";

test("steps are shown in the order in which they began, with what they used", () => {
  const steps = createRunSteps();
  steps.take({ type: "RUN_STARTED", timestamp: 10, threadId: "r", runId: "r" });
  steps.take({ type: "STEP_STARTED", stepName: "a", timestamp: 10 });
  steps.take({ type: "STEP_STARTED", stepName: "b", timestamp: 11 });
  expect(steps.take({ type: "STEP_FINISHED", stepName: "b", timestamp: 13, tokensUsed: 7, costUsd: 0.5 })).toEqual({
    name: "b",
    state: "done",
    startedAt: 11_000,
    endedAt: 13_000,
    tokens: 7,
    costUsd: 0.5,
  });
  expect(steps.all.map(({ name, state }) => [name, state])).toEqual([
    ["a", "running"],
    ["b", "done"],
  ]);
});

test("a step without a result has failed, or was cancelled alone or with its run", () => {
  const steps = createRunSteps();
  for (const stepName of ["a", "b", "c"]) steps.take({ type: "STEP_STARTED", stepName, timestamp: 1 });
  steps.take({ type: "STEP_FINISHED", stepName: "a", timestamp: 2, code: "MODEL_ERROR" });
  steps.take({ type: "STEP_FINISHED", stepName: "b", timestamp: 2, code: "CANCELLED" });
  steps.take({ type: "STEP_FINISHED", stepName: "never begun", timestamp: 2 });
  steps.take({ type: "RUN_ERROR", timestamp: 4, message: "x", code: "CANCELLED" });
  expect(steps.all.map(({ state, endedAt }) => [state, endedAt])).toEqual([
    ["failed", 2_000],
    ["cancelled", 2_000],
    ["cancelled", 4_000],
  ]);
});
