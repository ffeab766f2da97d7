import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const AGENTS = statement({
  name: "agent-names",
  text: `
    select name from agents where workspace_id = current_workspace_id()
      and exists (select from unnest($1::text[]) stem where starts_with(agents.name, stem))`,
});
const TEAMS = statement({
  name: "team-names",
  text: `
    select name from teams where workspace_id = current_workspace_id()
      and exists (select from unnest($1::text[]) stem where starts_with(teams.name, stem))`,
});

/** The names of the workspace's agents or teams that begin with one of these prefixes. */
export async function readNames(
  tx: Transaction,
  of: "agents" | "teams",
  stems: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ name: string }>(of === "agents" ? AGENTS : TEAMS, [stems]);
  return new Set(rows.map(({ name }) => name));
}

const NAMESAKES = statement({
  name: "agent-namesakes",
  text: `
    select a.name, array(
      select n.name from agents n
      where n.workspace_id = a.workspace_id and n.id <> a.id and starts_with(n.name, left(a.name, 90))) as taken
    from agents a where a.id = $1`,
});

/** An agent's name and others with the same beginning; undefined when the workspace has no such agent. */
export async function readNamesakes(
  tx: Transaction,
  agentId: string,
): Promise<{ readonly name: string; readonly taken: readonly string[] } | undefined> {
  const [row] = await tx.query<{ name: string; taken: string[] }>(NAMESAKES, [agentId]);
  return row;
}
