import { isUuid } from "#lib/ids.ts";
import type { Api } from "./api.ts";
import { UsageError } from "./errors/cli-error.ts";
import type { Agent } from "./records.ts";
import { nearest } from "./terminal/nearest.ts";
import { safeText } from "./terminal/safe-text.ts";

const NAMES_SHOWN = 20;

/**
 * The id of the agent that a user named by its id or its exact name.
 * @throws UsageError when no agent or several have the name.
 */
export async function resolveAgent(api: Api, idOrName: string): Promise<string> {
  if (isUuid(idOrName)) return idOrName;
  const { items } = await api.listAgents(Infinity);
  const [agent, ...others] = items.filter(({ name }) => name === idOrName);
  if (agent === undefined) throw new UsageError(safeText(unknownName(idOrName, items)));
  if (others.length > 0) throw new UsageError(ambiguousName(idOrName, [agent, ...others]));
  return agent.id;
}

function unknownName(given: string, agents: readonly Agent[]): string {
  if (agents.length === 0) {
    return "There is no agent yet. Make one: muster agents create --name Writer --model demo";
  }
  const names = [...new Set(agents.map(({ name }) => name))];
  const near = nearest(given, names);
  const more = names.length > NAMES_SHOWN ? `\n  … and ${names.length - NAMES_SHOWN} more (muster agents list)` : "";
  return (
    `No agent is called "${given}".${near === undefined ? "" : ` Did you mean "${near}"?`}\nAgents:\n` +
    names
      .slice(0, NAMES_SHOWN)
      .map((name) => `  ${name}`)
      .join("\n") +
    more
  );
}

function ambiguousName(given: string, agents: readonly Agent[]): string {
  const lines = agents.map(({ id, model }) => `  ${id}  ${safeText(model)}`);
  return `${agents.length} agents are called "${safeText(given)}". Use the id of one:\n${lines.join("\n")}`;
}
