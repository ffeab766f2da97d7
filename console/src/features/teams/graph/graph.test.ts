import { expect, test } from "vitest";
import type { Fields } from "../config/fields.ts";
import type { TeamMode } from "../../used-by/team-mode.ts";
import { graphOf } from "./graph.ts";
import type { NodeAction } from "./nodes.ts";

const STEPS = [
  { step_name: "Draft", agent_id: "a", instructions: "Write." },
  { type: "fan_out", step_name: "Review", parallel_agents: ["b", "c"], merge_agent_id: "a" },
  { agent_id: "d" },
];

/** What the graph shows of a config: each stage with its agents. */
function shown(mode: TeamMode, config: Fields) {
  return graphOf(mode, config).stages.map(({ node, how, members, next }) => [
    `${node.title} (${how})`,
    [node.agent, ...members.map(({ agent }) => agent)].filter((agent) => agent !== undefined),
    ...(next === undefined ? [] : [next]),
  ]);
}

/** Does what an entry of the menu of a box does. */
function act({
  mode = "pipeline",
  config,
  at,
  label,
  agent = "new",
}: {
  readonly mode?: TeamMode;
  readonly config: Fields;
  readonly at: string;
  readonly label: string;
  readonly agent?: string;
}) {
  const { stages, add } = graphOf(mode, config);
  const nodes = [...stages.flatMap(({ node, members }) => [node, ...members]), ...(add ? [add] : [])];
  const node = nodes.find(({ key }) => key === at);
  const action = node?.actions.find((each: NodeAction) => each.label === label);
  if (action === undefined || action.kind === "details") throw new Error(`${at} has no “${label}”.`);
  return action.apply(agent);
}

test("a fan-out is followed by its merge, and approvals are at the arrows", () => {
  expect(shown("pipeline", { steps: STEPS, auto_handoff: false })).toEqual([
    ["Draft (alone)", ["a"], "after an approval"],
    ["Review (parallel)", ["b", "c"]],
    ["Merge (alone)", ["a"], "after an approval"],
    ["Step 3 (alone)", ["d"]],
  ]);
});

test("a draft without agents has boxes to add them", () => {
  expect(shown("pipeline", { steps: [] })).toEqual([]);
  expect(act({ config: { steps: [] }, at: "steps.add", label: "Add step" })).toEqual({
    config: { steps: [{ agent_id: "new", step_name: "", instructions: "" }] },
    focus: "steps.0",
    said: "Step 1 added",
  });
  expect(shown("orchestrator", {}).map(([, agents]) => agents)).toEqual([[""], [], [""]]);
  const workers = act({ mode: "orchestrator", config: {}, at: "worker_agent_ids.add", label: "Add worker" });
  expect(workers).toEqual({ config: { worker_agent_ids: ["new"] }, focus: "worker_agent_ids.0", said: "Worker added" });
});

test("a step gets a parallel branch, and is one agent's again when the branch is removed", () => {
  const config = { steps: STEPS.slice(0, 1), mine: true };
  const split = act({ config, at: "steps.0", label: "Add parallel branch", agent: "b" });
  expect(split).toMatchObject({
    config: {
      steps: [{ step_name: "Draft", instructions: "Write.", type: "fan_out", parallel_agents: ["a", "b"] }],
      mine: true,
    },
    focus: "steps.0.parallel_agents.1",
  });
  expect(act({ config: split.config, at: "steps.0.parallel_agents.1", label: "Remove branch" })).toMatchObject({
    config,
    focus: "steps.0",
  });
  const merged = act({ config: split.config, at: "steps.0", label: "Merge by an agent", agent: "m" });
  expect(merged.focus).toBe("steps.0.merge_agent_id");
  const rest = act({ config: merged.config, at: "steps.0.parallel_agents.0", label: "Remove branch" });
  expect(shown("pipeline", rest.config)).toEqual([
    ["Draft (parallel)", ["b"]],
    ["Merge (alone)", ["m"]],
  ]);
});

test("steps are added, moved and removed with their fields; the focus follows", () => {
  const config = { steps: STEPS };
  expect(act({ config, at: "steps.1", label: "Add step before" })).toMatchObject({ focus: "steps.1" });
  expect(act({ config, at: "steps.2", label: "Move up" })).toEqual({
    config: { steps: [STEPS[0], STEPS[2], STEPS[1]] },
    focus: "steps.1",
    said: "Step 3 is now step 2 of 3",
  });
  expect(() => act({ config, at: "steps.0", label: "Move up" })).toThrow("has no");
  expect(act({ config, at: "steps.0", label: "Remove step" })).toMatchObject({
    config: { steps: STEPS.slice(1) },
    focus: "steps.0",
  });
  expect(act({ config: { steps: STEPS.slice(0, 1) }, at: "steps.0", label: "Remove step" }).focus).toBe("steps.add");
  expect(act({ config, at: "steps.1.merge_agent_id", label: "Remove merge" }).config).toEqual({
    steps: [STEPS[0], { type: "fan_out", step_name: "Review", parallel_agents: ["b", "c"] }, STEPS[2]],
  });
});

test("speakers are moved, changed and removed; a facilitator comes and goes", () => {
  const mode = "collaboration";
  const config = { agent_ids: ["a", "b"], max_turns: 4 };
  expect(shown(mode, config)).toEqual([["Discussion, up to 4 turns (turns)", ["a", "b"]]]);
  const led = act({ mode, config, at: "agent_ids", label: "Add facilitator", agent: "c" });
  expect(shown(mode, led.config)[0]).toEqual(["Facilitator (alone)", ["c"]]);
  expect(act({ mode, config: led.config, at: "facilitator_agent_id", label: "Remove facilitator" }).config).toEqual(
    config,
  );
  const moved = act({ mode, config, at: "agent_ids.1", label: "Move earlier" });
  expect([moved.config["agent_ids"], moved.focus]).toEqual([["b", "a"], "agent_ids.0"]);
  const changed = act({ mode, config, at: "agent_ids.0", label: "Change agent", agent: "c" });
  expect(changed.config["agent_ids"]).toEqual(["c", "b"]);
});
