import type { CustomTool } from "#domain/tools/custom-tool.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A stored custom tool with its encrypted headers. */
export interface CustomToolRow extends Omit<CustomTool, "headers"> {
  readonly id: string;
  readonly headers_ciphertext: string | null;
  /** Its headers as the API shows them. */
  readonly headers_shown: Readonly<Record<string, string>>;
}

const FIELDS = "name, description, parameters, url, method, headers_ciphertext, headers_shown, timeout_ms";

const INSERT = statement({
  name: "insert-custom-tool",
  text: `
    insert into custom_tools (id, workspace_id, created_by, ${FIELDS})
    select $1, $2, $3, ${FIELDS} from jsonb_populate_record(null::custom_tools, $4)`,
});

/** Inserts a tool. @throws an error of the constraint `custom_tools_name_key` when the name is in use. */
export async function insertCustomTool(
  tx: Transaction,
  { id, workspaceId, createdBy, ...row }: CustomToolRow & { readonly workspaceId: string; readonly createdBy: string },
): Promise<void> {
  await tx.query(INSERT, [id, workspaceId, createdBy, JSON.stringify(row)]);
}

const LOCK = statement({
  name: "lock-custom-tool",
  text: `select id, ${FIELDS} from custom_tools where id = $1 for update`,
});

/** Locks a tool for a change; undefined when the workspace has none with this id. */
export async function lockCustomTool(tx: Transaction, id: string): Promise<CustomToolRow | undefined> {
  const [row] = await tx.query<CustomToolRow>(LOCK, [id]);
  return row;
}

const UPDATE = statement({
  name: "update-custom-tool",
  text: `
    update custom_tools t set (${FIELDS}, updated_at) =
      (select ${FIELDS}, clock_timestamp() from jsonb_populate_record(t, $2))
    where id = $1`,
});

/** Writes all fields of a tool. @throws an error of the constraint `custom_tools_name_key`, as for an insert. */
export async function updateCustomTool(tx: Transaction, { id, ...row }: CustomToolRow): Promise<void> {
  await tx.query(UPDATE, [id, JSON.stringify(row)]);
}

const USERS = statement({
  name: "agents-with-tool",
  text: `select name from agents where workspace_id = $1 and $2 = any(tools) order by name limit 10`,
});

/** The names of the first agents that use a tool with this name. */
export async function agentsWithTool(tx: Transaction, workspaceId: string, listedAs: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(USERS, [workspaceId, listedAs]);
  return rows.map(({ name }) => name);
}

const DELETE = statement({ name: "delete-custom-tool", text: `delete from custom_tools where id = $1` });

/** Deletes a tool and the log of its calls. */
export async function deleteCustomTool(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE, [id]);
}

const READ = statement({
  name: "read-custom-tools",
  text: `select id, ${FIELDS} from custom_tools where id = any($1)`,
});

/** The existing ones among these tools. */
export function readCustomTools(db: WorkspaceDatabase, ids: readonly string[]): Promise<CustomToolRow[]> {
  return db.query<CustomToolRow>(READ, [ids]);
}

const HOLD = statement({ name: "lock-custom-tools", text: `select lock_custom_tools($1) as id` });

/** The ids of the existing ones among these tools, locked against deletion until the transaction ends. */
export async function lockCustomTools(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(HOLD, [ids]);
  return new Set(rows.map(({ id }) => id));
}
