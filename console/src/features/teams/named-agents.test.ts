import { expect, test } from "vitest";
import { namedAgents } from "./named-agents.ts";

test("agents are found in steps, branches and lists, each once", () => {
  const config = {
    steps: [{ agent_id: "a" }, { type: "fan_out", parallel_agents: ["b", "a"], merge_agent_id: "c" }],
    brain_agent_id: "d",
    worker_agent_ids: ["e", "b"],
    title: "not-an-agent",
    reviewer_agent_id: null,
  };
  expect(namedAgents(config)).toEqual(["a", "b", "c", "d", "e"]);
  expect(namedAgents({})).toEqual([]);
});
