import { idsAt, numberAt, textAt, withFields } from "../config/fields.ts";
import type { Fields } from "../config/fields.ts";
import { addAgent, agentNodes } from "./agent-nodes.ts";
import type { AgentGroup } from "./agent-nodes.ts";
import type { AgentAction, GraphNode, TeamGraph } from "./nodes.ts";

/** The brain, its workers, and the brain again, which judges what they did. */
export function orchestratorGraph(config: Fields): TeamGraph {
  const revisions = numberAt(config, "max_delegation_depth", 3);
  const brain = (key: string, title: string): GraphNode => {
    const agent = textAt(config, "brain_agent_id");
    return {
      key,
      title,
      agent,
      actions: [roleAction(config, { field: "brain_agent_id", key, label: chooses(agent) })],
    };
  };
  const workers = groupOf(config, "worker_agent_ids", "worker");
  return {
    stages: [
      {
        node: brain("brain_agent_id", "Brain gives work"),
        how: "alone",
        members: [],
        next: `up to ${revisions} revisions each`,
      },
      { node: { key: workers.path, title: "Workers", actions: [] }, how: "parallel", members: agentNodes(workers) },
      { node: brain("brain_agent_id.judges", "Brain judges and answers"), how: "alone", members: [] },
    ],
  };
}

/** The speakers of a discussion, and before them the facilitator, if there is one. */
export function collaborationGraph(config: Fields): TeamGraph {
  const field = "facilitator_agent_id";
  const agent = textAt(config, field);
  const set = roleAction(config, { field, key: field, label: chooses(agent) });
  const facilitator: GraphNode = {
    key: field,
    title: "Facilitator",
    agent,
    actions: [
      set,
      {
        kind: "remove",
        label: "Remove facilitator",
        apply: () => ({
          config: withFields(config, { [field]: undefined }),
          focus: "agent_ids",
          said: "Facilitator removed",
        }),
      },
    ],
  };
  const speakers = groupOf(config, "agent_ids", "speaker");
  const addFacilitator: AgentAction = { ...set, kind: "add", label: "Add facilitator" };
  const discussion: GraphNode = {
    key: speakers.path,
    title: `Discussion, up to ${numberAt(config, "max_turns", 10)} turns`,
    actions: [addAgent(speakers), ...(agent === "" ? [addFacilitator] : [])],
  };
  return {
    stages: [
      ...(agent === "" ? [] : [{ node: facilitator, how: "alone", members: [] } as const]),
      { node: discussion, how: "turns", members: agentNodes(speakers) },
    ],
  };
}

function groupOf(config: Fields, path: string, noun: string): AgentGroup {
  return { path, ids: idsAt(config, path), noun, set: (ids) => withFields(config, { [path]: ids }) };
}

function roleAction(
  config: Fields,
  { field, key, label }: { readonly field: string; readonly key: string; readonly label: string },
): AgentAction {
  return {
    kind: "change",
    label,
    without: [textAt(config, field)],
    apply: (agentId) => ({ config: withFields(config, { [field]: agentId }), focus: key, said: "Agent changed" }),
  };
}

function chooses(agent: string): string {
  return agent === "" ? "Choose agent" : "Change agent";
}
