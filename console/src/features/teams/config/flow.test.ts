import { expect, test } from "vitest";
import { flowOf } from "./flow.ts";

test("a fan-out is followed by its merge, and approvals are at the arrows", () => {
  const steps = [
    { step_name: "Draft", agent_id: "a" },
    { type: "fan_out", step_name: "Review", parallel_agents: ["b", "c"], merge_agent_id: "a" },
    { agent_id: "d" },
  ];
  expect(flowOf("pipeline", { steps, auto_handoff: false })).toEqual([
    { title: "Draft", agents: ["a"], how: "alone", next: "after an approval" },
    { title: "Review", agents: ["b", "c"], how: "parallel" },
    { title: "Merge", agents: ["a"], how: "alone", next: "after an approval" },
    { title: "Step 3", agents: ["d"], how: "alone" },
  ]);
});

test("a draft without agents has stages without agents", () => {
  expect(flowOf("pipeline", { steps: [] })).toEqual([]);
  expect(flowOf("orchestrator", {}).map(({ agents }) => agents)).toEqual([[], [], []]);
  expect(flowOf("collaboration", { agent_ids: ["a", "b"], facilitator_agent_id: "c", max_turns: 4 })).toEqual([
    { title: "Facilitator", agents: ["c"], how: "alone" },
    { title: "Discussion, up to 4 turns", agents: ["a", "b"], how: "turns" },
  ]);
});
