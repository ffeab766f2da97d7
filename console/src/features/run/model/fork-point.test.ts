import { expect, test } from "vitest";
import type { StepRow } from "../../records/run-head.ts";
import { failedStep, newestOpenStep } from "./failure.ts";
import { answerForkPrice, canChangeAnswer, forkPointOf, forkPrice } from "./fork-point.ts";

const row = (key: string, at: number, fields: Partial<StepRow> = {}): StepRow => ({
  key,
  kind: "model",
  status: "completed",
  started_at: at,
  ended_at: at + 5,
  cost_usd: 1,
  ...fields,
});

const AGENT = [
  row("model:0", 0),
  row("tool:a", 10, { kind: "tool" }),
  row("model:1", 20),
  row("answer:result:b", 30, { kind: "question" }),
  row("model:2", 40, { status: "failed", error_code: "MODEL_ERROR" }),
];

test("a task's agent is forked from a call; a tool belongs to the call that asked for it", () => {
  expect(forkPointOf(AGENT, "model:1")).toEqual({ step: 1, unit: "call" });
  expect(forkPointOf(AGENT, "tool:a")).toEqual({ step: 0, unit: "call" });
  expect(forkPointOf(AGENT, "answer:result:b")).toEqual({ step: 1, unit: "call" });
  expect(forkPointOf(AGENT, "gone")).toBeUndefined();
});

test("the price: earlier steps are free, later steps cost the same again", () => {
  expect(forkPrice(AGENT, { step: 1, unit: "call" })).toEqual({ reused: 1, again: 2, againUsd: 3 });
  expect(forkPrice(AGENT, { step: 0, unit: "call" })).toEqual({ reused: 0, again: 3, againUsd: 5 });
});

test("a pipeline is forked from a step, a discussion from a turn, an orchestrator from a call of its brain", () => {
  expect(forkPointOf([], "step:2:attempt:0:branch:1/model:0")).toEqual({ step: 2, unit: "step" });
  expect(forkPointOf([], "turn:3")).toEqual({ step: 3, unit: "turn" });
  const orchestrator = [
    row("brain/model:0", 0),
    row("delegation:x", 10, { kind: "delegation" }),
    row("brain/model:1", 20),
  ];
  expect(forkPointOf(orchestrator, "delegation:x")).toEqual({ step: 0, unit: "call" });
  expect(forkPrice(orchestrator, { step: 1, unit: "call" })).toMatchObject({ reused: 1, again: 1, againUsd: 1 });
});

test("the step at which it failed, and the newest one that is open", () => {
  expect(failedStep(AGENT, "MODEL_ERROR")?.key).toBe("model:2");
  expect(failedStep(AGENT.slice(0, 3), "STEP_LIMIT")?.key).toBe("model:1");
  expect(failedStep([], null)).toBeUndefined();
  expect(newestOpenStep(AGENT)).toBeUndefined();
  expect(newestOpenStep([...AGENT, row("tool:c", 50, { kind: "tool", status: "running" })])?.key).toBe("tool:c");
});

test("a question belongs to the step that it was asked in or before; calls before it are reused", () => {
  const asked = row("answer:result:b", 30, { kind: "question" });
  expect(answerForkPrice(AGENT, asked)).toEqual({ reused: 3, again: 1, againUsd: 1 });
  expect(forkPointOf([], "ask:step:1")).toEqual({ step: 1, unit: "step" });
  expect(forkPointOf([], "moderate:2/answer:result:b")).toEqual({ step: 2, unit: "turn" });
  const questions = ["answer:result:b", "step:1:attempt:0/answer:approval:c", "ask:step:1"];
  expect(questions.every((key) => canChangeAnswer(row(key, 0, { kind: "question" })))).toBe(true);
  const others = ["brain/answer:approval:budget:0:id:window:0", "answer:pause:b:0", "answer:client:b"];
  expect(others.some((key) => canChangeAnswer(row(key, 0, { kind: "question" })))).toBe(false);
});
