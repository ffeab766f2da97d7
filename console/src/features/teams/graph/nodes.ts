import type { Fields } from "../config/fields.ts";

/** A team's config as a graph, from its input to its result: drawn from the config, and edited by changing the config. */
export interface TeamGraph {
  readonly stages: readonly Stage[];
  /** The box after the last stage that adds another one. */
  readonly add?: GraphNode;
}

/** A box of the graph, or several that belong together. */
export interface Stage {
  /** The box, or the head of the group. */
  readonly node: GraphNode;
  /** How several agents work: all at the same time, or one after another. */
  readonly how: "alone" | "parallel" | "turns";
  /** The agents of a group, and last the box that adds another one. */
  readonly members: readonly GraphNode[];
  /** What is written at the arrow that leads on. */
  readonly next?: string;
}

/** One box, and what can be done with it. */
export interface GraphNode {
  /** Where it is in the config, such as `steps.0.parallel_agents.1`. */
  readonly key: string;
  /** What happens here: the name of a step, a role, or what the box adds. */
  readonly title?: string;
  /** The id of its agent; empty while none is chosen, undefined for a box that has none. */
  readonly agent?: string;
  /** Empty for a box that is not changed by itself. */
  readonly actions: readonly NodeAction[];
}

/** One entry of the menu of a box. */
export type NodeAction = AgentAction | EditAction | DetailsAction;

/** What needs an agent. */
export interface AgentAction {
  readonly kind: "change" | "add" | "branch";
  readonly label: string;
  /** Agents that are not offered. */
  readonly without: readonly string[];
  readonly apply: (agentId: string) => GraphEdit;
}

/** What is done immediately. */
export interface EditAction {
  readonly kind: "earlier" | "later" | "remove";
  readonly label: string;
  readonly apply: () => GraphEdit;
}

/** Opens the settings of a step, by its index. */
export interface DetailsAction {
  readonly kind: "details";
  readonly label: string;
  readonly step: number;
}

/** A changed config. */
export interface GraphEdit {
  readonly config: Fields;
  /** The key of the box that the change is about; it gets the focus. */
  readonly focus: string;
  /** The change in words, for a screen reader. */
  readonly said: string;
}
