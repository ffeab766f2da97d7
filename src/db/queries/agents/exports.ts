import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const AGENTS = statement({ name: "export-agents", text: `select id, data from agent_exports where id = any($1)` });

/** An agent as in its export file, with the fields in file order; the view `agent_exports` defines them. */
export interface AgentExport extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Reads agents for an export by their ids; unknown ids are missing from the result. */
export async function readAgentExports(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AgentExport>> {
  const rows = await tx.query<{ id: string; data: AgentExport }>(AGENTS, [ids]);
  return new Map(rows.map(({ id, data }) => [id, data]));
}

const TEAM = statement({
  name: "export-team",
  text: `select name, description, mode, config from teams where id = $1`,
});

/** A team with the ids of its agents in its config. */
export interface TeamExport {
  readonly name: string;
  readonly description: string;
  readonly mode: string;
  readonly config: unknown;
}

/** Reads a team for an export; undefined when the workspace has none with this id. */
export async function readTeamExport(tx: Transaction, id: string): Promise<TeamExport | undefined> {
  const [row] = await tx.query<TeamExport>(TEAM, [id]);
  return row;
}
