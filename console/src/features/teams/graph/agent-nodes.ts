import { capitalized } from "../../../lib/format.ts";
import { moveItem } from "../config/fields.ts";
import type { Fields } from "../config/fields.ts";
import type { AgentAction, EditAction, GraphEdit, GraphNode } from "./nodes.ts";

/** Agents that belong together: the branches of a fan-out, the workers, the speakers. */
export interface AgentGroup {
  /** Where the list is in the config, such as `worker_agent_ids`. */
  readonly path: string;
  readonly ids: readonly string[];
  /** What one of them is called, such as `worker`. */
  readonly noun: string;
  /** The config with another list. */
  readonly set: (ids: readonly string[]) => Fields;
  /** What removing one results in, where it is more than a shorter list. */
  readonly onRemove?: (rest: readonly string[]) => GraphEdit | undefined;
}

/** The boxes of a group: each agent, and the box that adds another one. */
export function agentNodes(group: AgentGroup): readonly GraphNode[] {
  const { path, ids, noun } = group;
  const nodes = ids.map((id, index): GraphNode => {
    return { key: `${path}.${index}`, agent: id, actions: memberActions(group, index) };
  });
  return [...nodes, { key: addKey(path), title: `Add ${noun}`, actions: [addAgent(group)] }];
}

/** Adds an agent to a group. */
export function addAgent({ path, ids, noun, set }: AgentGroup): AgentAction {
  return {
    kind: "add",
    label: `Add ${noun}`,
    without: ids,
    apply: (agentId) => ({
      config: set([...ids, agentId]),
      focus: `${path}.${ids.length}`,
      said: `${capitalized(noun)} added`,
    }),
  };
}

/** The key of the box that adds to a list. */
export function addKey(path: string): string {
  return `${path}.add`;
}

function memberActions(group: AgentGroup, index: number): GraphNode["actions"] {
  const { path, ids, noun, set } = group;
  const change: AgentAction = {
    kind: "change",
    label: "Change agent",
    without: ids,
    apply: (agentId) => ({ config: set(ids.with(index, agentId)), focus: `${path}.${index}`, said: "Agent changed" }),
  };
  const remove: EditAction = {
    kind: "remove",
    label: `Remove ${noun}`,
    apply() {
      const rest = ids.filter((_, at) => at !== index);
      const focus = rest.length === 0 ? addKey(path) : `${path}.${Math.max(index - 1, 0)}`;
      return group.onRemove?.(rest) ?? { config: set(rest), focus, said: `${capitalized(noun)} removed` };
    },
  };
  return [change, ...moves({ ...group, index, words: ["Move earlier", "Move later"] }), remove];
}

/** Moving an element of a list, as far as there is a place for it. */
export function moves<T>({
  path,
  ids: list,
  noun,
  set,
  index,
  words: [earlier, later],
}: {
  readonly path: string;
  readonly ids: readonly T[];
  readonly noun: string;
  readonly set: (list: readonly T[]) => Fields;
  readonly index: number;
  readonly words: readonly [earlier: string, later: string];
}): readonly EditAction[] {
  const move = (kind: "earlier" | "later", label: string, to: number): readonly EditAction[] => {
    if (to < 0 || to >= list.length) return [];
    const said = `${capitalized(noun)} ${index + 1} is now ${noun} ${to + 1} of ${list.length}`;
    return [{ kind, label, apply: () => ({ config: set(moveItem(list, index, to)), focus: `${path}.${to}`, said }) }];
  };
  return [...move("earlier", earlier, index - 1), ...move("later", later, index + 1)];
}
