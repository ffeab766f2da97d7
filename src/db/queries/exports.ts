import type { Tenant } from "#domain/role.ts";
import type { Database } from "../database.ts";

const AGENT = { name: "export-agent", text: `select data from agent_exports where id = $1` };

/** An agent as its file holds it, its fields in the file's order; the view `agent_exports` says which. */
export interface AgentExport extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Reads an agent for its file; undefined when the workspace has none with this id. */
export async function readAgentExport(db: Database, tenant: Tenant, id: string): Promise<AgentExport | undefined> {
  const [row] = await db.queryInWorkspace<{ data: AgentExport }>(tenant, AGENT, [id]);
  return row?.data;
}
