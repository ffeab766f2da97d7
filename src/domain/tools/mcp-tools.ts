import { trimEndOf } from "#lib/text/trim-end.ts";

/** The maximum length of a tool name. */
const MAX_NAME = 64;
/** The digits of an agent's id that name it when its name has none that a tool name may have. */
const ID_DIGITS = 8;

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
 * `a-z0-9_` replaced by underscores (one per group, none at the end), up to 64 characters. A name without any such letter or digit, as
 * in a non-Latin script, becomes `agent_` and the end of the agent's id. Agents with the same tool name get `_2`, `_3` …
 * in the given order, so that later agents do not change existing names.
 * @param agents in the order of their creation
 */
export function toolsOf(agents: readonly PublishedAgent[]): readonly PublishedTool[] {
  const taken = new Set<string>();
  return agents.map((agent) => {
    const name = freeName(toolName(agent), taken);
    taken.add(name);
    return { name, agent };
  });
}

function toolName({ id, name }: PublishedAgent): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "_");
  const reduced = trimEndOf(words.slice(0, MAX_NAME), "_");
  return /[a-z0-9]/.test(reduced) ? reduced : `agent_${id.slice(-ID_DIGITS)}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) {
    const suffix = `_${count}`;
    const candidate = name.slice(0, MAX_NAME - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
