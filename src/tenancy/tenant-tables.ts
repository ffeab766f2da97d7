import type { Client } from "pg";
import { LOG_TABLES, isLogTable } from "#db/queries/access/deleted-workspaces.ts";

/** A table, or one of the two views of runs, with rows of workspaces. */
export interface TenantTable {
  readonly name: string;
  readonly isView: boolean;
  readonly hasId: boolean;
}

const TABLES = `
  select c.relname as name, c.relkind = 'v' as "isView",
    exists (select from pg_attribute i where i.attrelid = c.oid and i.attname = 'id' and not i.attisdropped) as "hasId"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and not c.relispartition
    and (c.relkind in ('r', 'p') or c.relname in ('tasks', 'team_runs'))
  order by c.relname`;

/** All our tables with a workspace, without their partitions; a new one is included by itself. */
export async function tenantTables(client: Client): Promise<readonly TenantTable[]> {
  return (await client.query<TenantTable>(TABLES)).rows;
}

/**
 * The condition that finds a workspace's rows of a table. Events and steps have no index by workspace, so that on a large
 * installation they can only be found by their runs.
 */
export function rowsOfWorkspace(table: string, { workspaceId, logs }: TenantRows): string {
  const inWorkspace = `workspace_id = '${workspaceId}'`;
  if (!isLogTable(table)) return inWorkspace;
  return `${LOG_TABLES[table]} = any('{${logs.join()}}'::uuid[]) and ${inWorkspace}`;
}

/** A workspace, and the ids of its runs. */
export interface TenantRows {
  readonly workspaceId: string;
  readonly logs: readonly string[];
}

/** Reads the ids of a workspace's runs. */
export async function tenantRows(client: Client, workspaceId: string): Promise<TenantRows> {
  const { rows } = await client.query<{ id: string }>("select id from runs where workspace_id = $1", [workspaceId]);
  return { workspaceId, logs: rows.map(({ id }) => id) };
}
