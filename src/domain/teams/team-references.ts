/** Fields of a team's config that hold an agent, or several. */
const NAMES_AGENTS = /(^|_)agent_ids?$|^parallel_agents$/;

/** Where in a config something stands, such as `steps`, `0`, `agent_id`. */
export type ConfigPath = readonly string[];

/**
 * A config with each agent in it called by another name: whatever the mode, so also where the
 * config has not been checked yet.
 */
export function renameAgents(
  config: unknown,
  rename: (name: string, path: ConfigPath) => string,
  path: ConfigPath = [],
): unknown {
  if (typeof config === "string") return isReference(path) ? rename(config, path) : config;
  if (Array.isArray(config)) return config.map((item, index) => renameAgents(item, rename, [...path, String(index)]));
  if (typeof config !== "object" || config === null) return config;
  return Object.fromEntries(
    Object.entries(config).map(([field, value]) => [field, renameAgents(value, rename, [...path, field])]),
  );
}

/** The agents that a config names, each once, in their order. */
export function agentsNamed(config: unknown): readonly string[] {
  const names = new Set<string>();
  renameAgents(config, (name) => {
    names.add(name);
    return name;
  });
  return [...names];
}

/** A list's item is reached by its index: then the field before that says what it is. */
function isReference(path: ConfigPath): boolean {
  const field = path.findLast((part) => !/^\d+$/.test(part));
  return field !== undefined && NAMES_AGENTS.test(field);
}
