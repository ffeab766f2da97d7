import { booleanAt, idsAt, listAt, textAt, withFields } from "../config/fields.ts";
import type { Fields } from "../config/fields.ts";
import { addAgent, addKey, agentNodes, moves } from "./agent-nodes.ts";
import type { AgentGroup } from "./agent-nodes.ts";
import type { AgentAction, GraphNode, NodeAction, Stage, TeamGraph } from "./nodes.ts";

const PATH = "steps";

/** A step of a pipeline, and how the config changes with it. */
interface StepPlace {
  readonly config: Fields;
  readonly steps: readonly Fields[];
  readonly step: Fields;
  readonly index: number;
  readonly key: string;
}

/** The steps of a pipeline one below the other; a fan-out is a group, followed by its merge. */
export function pipelineGraph(config: Fields): TeamGraph {
  const steps = listAt(config, PATH);
  const waits = !booleanAt(config, "auto_handoff", true);
  const stages = steps.flatMap((step, index): readonly Stage[] => {
    const next = waits && index < steps.length - 1 ? { next: "after an approval" } : {};
    const place = { config, steps, step, index, key: `${PATH}.${index}` };
    return textAt(step, "type") === "fan_out" ? fanOut(place, next) : [{ ...single(place), ...next }];
  });
  const add = insert(config, steps, steps.length, "Add step");
  return { stages, add: { key: addKey(PATH), title: "Add step", actions: [add] } };
}

function single(place: StepPlace): Stage {
  const { step, key } = place;
  const agent = textAt(step, "agent_id");
  const change: AgentAction = {
    kind: "change",
    label: agent === "" ? "Choose agent" : "Change agent",
    without: [agent],
    apply: (agentId) => ({ config: replace(place, { agent_id: agentId }), focus: key, said: "Agent changed" }),
  };
  const branch: AgentAction = {
    kind: "branch",
    label: "Add parallel branch",
    without: [agent],
    apply: (agentId) => ({
      config: replace(place, { type: "fan_out", agent_id: undefined, parallel_agents: [agent, agentId] }),
      focus: `${key}.parallel_agents.1`,
      said: "Branch added",
    }),
  };
  const actions = stepActions(place, [change], agent === "" ? [] : [branch]);
  return { node: { key, title: titleOf(place), agent, actions }, how: "alone", members: [] };
}

function fanOut(place: StepPlace, next: Pick<Stage, "next">): readonly Stage[] {
  const { step, key } = place;
  const hasMerge = textAt(step, "merge_agent_id") !== "";
  const group: AgentGroup = {
    path: `${key}.parallel_agents`,
    ids: idsAt(step, "parallel_agents"),
    noun: "branch",
    set: (ids) => replace(place, { parallel_agents: ids }),
    // One branch alone is a step again, unless an agent merges it.
    onRemove: (rest) => (rest.length === 1 && !hasMerge ? asSingle(place, rest[0]) : undefined),
  };
  const setMerge: AgentAction = {
    kind: "add",
    label: "Merge by an agent",
    without: [],
    apply: (agentId) => ({
      config: replace(place, { merge_agent_id: agentId }),
      focus: `${key}.merge_agent_id`,
      said: "Merge added",
    }),
  };
  const actions = stepActions(place, [], [addAgent(group), ...(hasMerge ? [] : [setMerge])]);
  const branches: Stage = {
    node: { key, title: titleOf(place), actions },
    how: "parallel",
    members: agentNodes(group),
  };
  if (!hasMerge) return [{ ...branches, ...next }];
  return [branches, { node: merge(place, setMerge), how: "alone", members: [], ...next }];
}

function merge(place: StepPlace, setMerge: AgentAction): GraphNode {
  const { step, key } = place;
  const agent = textAt(step, "merge_agent_id");
  const actions: readonly NodeAction[] = [
    details(place),
    { ...setMerge, kind: "change", label: "Change agent", without: [agent] },
    {
      kind: "remove",
      label: "Remove merge",
      apply: () => ({
        config: replace(place, { merge_agent_id: undefined, merge_instructions: undefined }),
        focus: key,
        said: "Merge removed",
      }),
    },
  ];
  return { key: `${key}.merge_agent_id`, title: "Merge", agent, actions };
}

/** What can be done with any step, around what is done with its agents. */
function stepActions(
  place: StepPlace,
  before: readonly NodeAction[],
  after: readonly NodeAction[],
): readonly NodeAction[] {
  const { config, steps, index } = place;
  return [
    details(place),
    ...before,
    insert(config, steps, index, "Add step before"),
    insert(config, steps, index + 1, "Add step after"),
    ...after,
    ...moves({
      path: PATH,
      ids: steps,
      noun: "step",
      set: (list) => withFields(config, { steps: list }),
      index,
      words: ["Move up", "Move down"],
    }),
    {
      kind: "remove",
      label: "Remove step",
      apply: () => ({
        config: withFields(config, { steps: steps.filter((_, at) => at !== index) }),
        focus: steps.length === 1 ? addKey(PATH) : `${PATH}.${Math.max(index - 1, 0)}`,
        said: "Step removed",
      }),
    },
  ];
}

function details({ index }: StepPlace): NodeAction {
  return { kind: "details", label: "Edit details", step: index };
}

function insert(config: Fields, steps: readonly Fields[], at: number, label: string): AgentAction {
  return {
    kind: "add",
    label,
    without: [],
    apply: (agentId) => ({
      config: withFields(config, {
        steps: steps.toSpliced(at, 0, { agent_id: agentId, step_name: "", instructions: "" }),
      }),
      focus: `${PATH}.${at}`,
      said: `Step ${at + 1} added`,
    }),
  };
}

function asSingle(place: StepPlace, agent: string | undefined) {
  const change = { type: undefined, agent_id: agent, parallel_agents: undefined, fan_out_failure: undefined };
  return { config: replace(place, change), focus: place.key, said: "Branch removed" };
}

function replace({ config, steps, step, index }: StepPlace, change: Fields): Fields {
  return withFields(config, { steps: steps.with(index, withFields(step, change)) });
}

function titleOf({ step, index }: StepPlace): string {
  const name = textAt(step, "step_name");
  return name === "" ? `Step ${index + 1}` : name;
}
