import { expect, test } from "vitest";
import { buildTree } from "../model/tree.ts";
import { workAt } from "./parts.ts";
import type { StepRow } from "../../records/run-head.ts";

const row = (key: string, fields: Partial<StepRow> = {}): StepRow => ({
  key,
  kind: "step",
  label: key,
  status: "completed",
  ...fields,
});
const at = (key: string, agent?: string) => ({ key, actions: [], ...(agent !== undefined && { agent }) });

test("a step of a pipeline has the work of its attempts; branches and merge have their own", () => {
  const tree = buildTree([
    row("step:0:attempt:0", { status: "failed", started_at: 0, ended_at: 100 }),
    row("step:0:attempt:1", { status: "running", started_at: 200 }),
    row("step:0:attempt:1:branch:1", { parent: "step:0:attempt:1", kind: "branch", cost_usd: 0.5 }),
    row("step:0:attempt:1:merge", { parent: "step:0:attempt:1", kind: "merge", status: "waiting", started_at: 300 }),
  ]);
  expect(workAt(at("steps.0"), tree)).toEqual({
    state: "running",
    costUsd: 0.5,
    endedMs: 100,
    since: 200,
    step: "step:0:attempt:1",
  });
  expect(workAt(at("steps.0.parallel_agents.1", "b"), tree)).toMatchObject({ state: "completed", costUsd: 0.5 });
  expect(workAt(at("steps.0.merge_agent_id", "m"), tree)).toMatchObject({ state: "waiting", since: 300 });
  expect(workAt(at("steps.1"), tree)).toMatchObject({ state: "pending", costUsd: 0, step: undefined });
});

test("workers have their delegations, and the brain the rest", () => {
  const tree = buildTree([
    row("brain", { kind: "turn", agent_id: "lead", status: "running" }),
    row("brain/model:0", { parent: "brain", kind: "model", cost_usd: 1 }),
    row("delegation:d1", { parent: "brain", kind: "delegation", agent_id: "w", cost_usd: 2 }),
    row("delegation:d2", { parent: "brain", kind: "delegation", agent_id: "w", cost_usd: 3 }),
  ]);
  expect(workAt(at("brain_agent_id", "lead"), tree)).toMatchObject({ costUsd: 1, step: "brain" });
  expect(workAt(at("brain_agent_id.judges", "lead"), tree)).toMatchObject({ state: "pending" });
  expect(workAt(at("worker_agent_ids.0", "w"), tree)).toMatchObject({ costUsd: 5, step: "delegation:d2" });
  expect(workAt(at("worker_agent_ids", undefined), tree)).toMatchObject({ state: "pending" });
});

test("speakers have their turns", () => {
  const tree = buildTree([
    row("turn:0", { kind: "turn", agent_id: "a", started_at: 0, ended_at: 10 }),
    row("turn:1", { kind: "turn", agent_id: "b", status: "failed" }),
    row("turn:2", { kind: "turn", agent_id: "a", started_at: 10, ended_at: 30 }),
  ]);
  expect(workAt(at("agent_ids.0", "a"), tree)).toMatchObject({ state: "completed", endedMs: 30, step: "turn:2" });
  expect(workAt(at("agent_ids.1", "b"), tree)).toMatchObject({ state: "failed" });
});
