import type { Client } from "pg";
import { workspaceTables } from "#db/queries/access/deleted-workspaces.ts";
import { queriesOn } from "#db/rows-on-client.ts";
import { SCRATCH_DOMAIN } from "./probe-shapes.ts";
import { rowsOfWorkspace, tenantRows } from "./tenant-tables.ts";

const IS_SCRATCH = `u.email like '%@${SCRATCH_DOMAIN}'`;
/** Workspaces of scratch people, of which nobody else is a member but programs of their own. */
const WORKSPACES = `
  with scratch as (
    select m.workspace_id as id from members m join users u on u.id = m.user_id where ${IS_SCRATCH}
    union
    select k.workspace_id from api_keys k join users u on u.id = k.created_by where ${IS_SCRATCH}
  )
  select s.id from scratch s where not exists (
    select from members m join users u on u.id = m.user_id where m.workspace_id = s.id and not (${IS_SCRATCH})
      and not exists (select from service_accounts p where p.id = u.id and p.workspace_id = s.id))`;

const LOCK = "select pg_try_advisory_lock(hashtextextended('muster.scratch', 0)) as locked";

/** Lets one run at a time have scratch workspaces, until its connection ends; false when another one has them. */
export async function lockScratch(client: Client): Promise<boolean> {
  return (await client.query<{ locked: boolean }>(LOCK)).rows[0]?.locked === true;
}

/**
 * Removes all scratch workspaces with all that probes made in them, in one transaction; also what a run has left that was
 * killed. Returns their number.
 */
export async function removeScratch(client: Client): Promise<number> {
  await client.query("begin");
  try {
    const { rows } = await client.query<{ id: string }>(WORKSPACES);
    for (const { id } of rows) await removeWorkspace(client, id);
    await client.query(`delete from users u where ${IS_SCRATCH}`);
    await client.query("commit");
    return rows.length;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

async function removeWorkspace(client: Client, workspaceId: string): Promise<void> {
  // Nothing is recorded, counted or announced of a workspace that is being deleted.
  await client.query("update workspaces set deleted_at = now() where id = $1", [workspaceId]);
  const side = await tenantRows(client, workspaceId);
  const programs = await client.query<{ id: string }>("select id from service_accounts where workspace_id = $1", [
    workspaceId,
  ]);
  for (const table of await workspaceTables(queriesOn(client))) {
    await client.query(`delete from ${table} where ${rowsOfWorkspace(table, side)}`);
  }
  await client.query("delete from users where id = any($1)", [programs.rows.map(({ id }) => id)]);
  await client.query("delete from workspaces where id = $1", [workspaceId]);
  await client.query("delete from audit_log where workspace_id = $1", [workspaceId]);
}
