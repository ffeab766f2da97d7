/** The maximum length of a tool name. */
const MAX_NAME = 64;

/** The parts of an agent that its tool shows. */
export interface PublishedAgent {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** An agent with the name of its tool. */
export interface PublishedTool {
  readonly name: string;
  readonly agent: PublishedAgent;
}

/**
 * Returns the tools of published agents. A tool's name is the agent's in lower case, with other characters than
 * `a-z0-9_` replaced by underscores (one per group), up to 64 characters. Agents with the same tool name get `_2`, `_3`
 * … in the given order, so that later agents do not change existing names.
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
