/** Matches the fields of a team's config with one or several agents. */
const NAMES_AGENTS = /(^|_)agent_ids?$|^parallel_agents$/;

/** The path of a value in a config, such as `steps`, `0`, `agent_id`. */
export type ConfigPath = readonly string[];

/** Returns a config with every agent id replaced, for any mode and also for a config that is not validated yet. */
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

/** Returns the agents of a config, each once, in order. */
export function agentsNamed(config: unknown): readonly string[] {
  const names = new Set<string>();
  renameAgents(config, (name) => {
    names.add(name);
    return name;
  });
  return [...names];
}

/** An item of a list is addressed by its index: the field before it determines the type. */
function isReference(path: ConfigPath): boolean {
  const field = path.findLast((part) => !/^\d+$/.test(part));
  return field !== undefined && NAMES_AGENTS.test(field);
}
