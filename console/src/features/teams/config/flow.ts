import type { TeamMode } from "../team-mode.ts";
import { fieldsAt, booleanAt, idsAt, listAt, numberAt, textAt } from "./fields.ts";
import type { Fields } from "./fields.ts";

/** One box of the picture of a team: an agent with its part, or several that belong together. */
export interface FlowStage {
  /** What happens here: the name of a step, or a role. */
  readonly title: string;
  /** The agents, by their ids; empty while none is chosen. */
  readonly agents: readonly string[];
  /** How several of them work: all at the same time, or one after another. */
  readonly how: "alone" | "parallel" | "turns";
  /** What is written at the arrow that leads on. */
  readonly next?: string;
}

/** The stages of a config from its input to its result; the same config as the form shows. */
export function flowOf(mode: TeamMode, config: Fields): readonly FlowStage[] {
  switch (mode) {
    case "pipeline":
      return pipelineFlow(config);
    case "orchestrator":
      return orchestratorFlow(config);
    case "collaboration":
      return collaborationFlow(config);
  }
}

function pipelineFlow(config: Fields): readonly FlowStage[] {
  const waits = !booleanAt(config, "auto_handoff", true);
  return listAt(config, "steps").flatMap((step, index, steps): readonly FlowStage[] => {
    const name = textAt(step, "step_name");
    const title = name === "" ? `Step ${index + 1}` : name;
    const next = waits && index < steps.length - 1 ? { next: "after an approval" } : {};
    if (textAt(step, "type") !== "fan_out") {
      return [{ title, agents: only(textAt(step, "agent_id")), how: "alone", ...next }];
    }
    const branches = { title, agents: idsAt(step, "parallel_agents"), how: "parallel" } as const;
    const merger = textAt(step, "merge_agent_id");
    if (merger === "") return [{ ...branches, ...next }];
    return [branches, { title: "Merge", agents: [merger], how: "alone", ...next }];
  });
}

function orchestratorFlow(config: Fields): readonly FlowStage[] {
  const brain = only(textAt(config, "brain_agent_id"));
  const revisions = numberAt(config, "max_delegation_depth", 3);
  return [
    { title: "Brain gives work", agents: brain, how: "alone", next: `up to ${revisions} revisions each` },
    { title: "Workers", agents: idsAt(config, "worker_agent_ids"), how: "parallel" },
    { title: "Brain judges and answers", agents: brain, how: "alone" },
  ];
}

function collaborationFlow(config: Fields): readonly FlowStage[] {
  const facilitator = only(textAt(config, "facilitator_agent_id"));
  const turns = numberAt(config, "max_turns", 10);
  const discussion: FlowStage = {
    title: `Discussion, up to ${turns} turns`,
    agents: idsAt(config, "agent_ids"),
    how: "turns",
  };
  return facilitator.length === 0
    ? [discussion]
    : [{ title: "Facilitator", agents: facilitator, how: "alone" }, discussion];
}

function only(id: string): readonly string[] {
  return id === "" ? [] : [id];
}

/** Whether a config turns on the team's memory. */
export function hasMemory(config: Fields): boolean {
  return booleanAt(fieldsAt(config, "memory"), "enabled", false);
}
