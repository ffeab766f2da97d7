/** The longest name of a tool. */
const MAX_NAME = 64;

/** An agent as far as its tool shows it. */
export interface PublishedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** An agent under the name of its tool. */
export interface PublishedTool {
  readonly name: string;
  readonly agent: PublishedAgent;
}

/**
 * The tools of published agents: an agent's name in lower case, where every run of characters other than `a-z0-9_`
 * becomes one underscore, with at most 64 characters. Agents of the same tool name get `_2`, `_3` … in the given
 * order, so that a tool keeps its name when another agent is published later.
 * @param agents in the order of their creation
 */
export function toolsOf(agents: readonly PublishedAgent[]): readonly PublishedTool[] {
  const taken = new Set<string>();
  return agents.map((agent) => {
    const name = freeName(toolName(agent.name), taken);
    taken.add(name);
    return { name, agent };
  });
}

function toolName(agentName: string): string {
  return agentName
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, MAX_NAME);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) {
    const suffix = `_${count}`;
    const candidate = name.slice(0, MAX_NAME - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
