import { expect, test } from "vitest";
import { agentsNamed, renameAgents } from "./team-references.ts";

const CONFIGS = {
  steps: [
    { agent_id: "a", step_name: "a", instructions: "agent_id", merge_agent_id: null },
    { type: "fan_out", parallel_agents: ["b", "c"], merge_agent_id: "d", max_retries: 1 },
  ],
  brain_agent_id: "e",
  worker_agent_ids: ["f", "a"],
  agent_ids: ["g"],
  facilitator_agent_id: "h",
  consensus_phrase: "a",
};

test("the agents of every mode are found, each once, in their order", () => {
  expect(agentsNamed(CONFIGS)).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(agentsNamed({ steps: [], auto_handoff: true })).toEqual([]);
});

test("only names of agents are changed, each with its path", () => {
  const paths: string[] = [];
  const renamed = renameAgents(CONFIGS, (name, path) => {
    paths.push(path.join("."));
    return name.toUpperCase();
  });
  expect(renamed).toEqual({
    steps: [
      { agent_id: "A", step_name: "a", instructions: "agent_id", merge_agent_id: null },
      { type: "fan_out", parallel_agents: ["B", "C"], merge_agent_id: "D", max_retries: 1 },
    ],
    brain_agent_id: "E",
    worker_agent_ids: ["F", "A"],
    agent_ids: ["G"],
    facilitator_agent_id: "H",
    consensus_phrase: "a",
  });
  expect(paths.slice(0, 3)).toEqual(["steps.0.agent_id", "steps.1.parallel_agents.0", "steps.1.parallel_agents.1"]);
});

test("a value that is not a config stays unchanged", () => {
  for (const odd of [null, 7, "a", ["a"]]) expect(renameAgents(odd, () => "x")).toEqual(odd);
});
