/** The fields of a config that hold ids of agents. */
const NAMES_AGENTS = /(^|_)agent_ids?$|^parallel_agents$/;

/** The ids of the agents that a team's config names, each once, in their order. */
export function namedAgents(config: unknown): readonly string[] {
  return [...new Set(idsIn(config))];
}

function idsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inside]) => {
    if (!NAMES_AGENTS.test(field)) return idsIn(inside);
    return (Array.isArray(inside) ? inside : [inside]).filter(
      (id): id is string => typeof id === "string" && id !== "",
    );
  });
}
