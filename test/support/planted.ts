import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { secretColumns } from "#db/queries/access/encrypted-secrets.ts";
import { secretContext } from "#operations/access/reencrypt-secrets.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { seedTables } from "#tenancy/seeds.ts";
import { newId } from "#lib/ids.ts";

/** Where a text was found: tables, files, and the number of columns that were planted. */
export type Found = readonly string[];

const COLUMNS = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id' and not w.attisdropped)
    and format_type(a.atttypid, null) in ('text', 'json', 'jsonb', 'text[]', 'json[]')
  order by 1, 2`;

/** Columns that say in words of the service what a row is, and the key of a stored content. */
const WORDS_OF_THE_SERVICE = new Set(["action", "subject_kind", "kind", "status", "state", "blob_key"]);

/**
 * Puts a row of the workspace into every table, and a text into every column that takes one, but for those that decide
 * what a row is. Call it while nothing serves. Returns the planted columns.
 */
export async function plantEverywhere(
  databaseUrl: string,
  { workspaceId, ownerId, text }: { readonly workspaceId: string; readonly ownerId: string; readonly text: string },
): Promise<Found> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await seedTables(client, { ...freshIds(), workspaceId, ownerId, rows: "all" });
    await client.query("set session_replication_role = replica");
    const planted: string[] = [];
    const { rows } = await client.query<{ table: string; column: string; type: string }>(COLUMNS);
    for (const { table, column, type } of rows) {
      if (WORDS_OF_THE_SERVICE.has(column)) continue;
      const value = `to_json($2::text || ' ' || gen_random_uuid())`;
      const given =
        type === "text"
          ? `left($2::text || ' ' || gen_random_uuid(), 60)`
          : type === "text[]"
            ? `array[$2::text]`
            : type === "json[]"
              ? `array[${value}]`
              : `${value}::${type}`;
      const done = await client
        .query(`update ${table} set "${column}" = ${given} where workspace_id = $1`, [workspaceId, text])
        .catch(() => undefined);
      if (done !== undefined && (done.rowCount ?? 0) > 0) planted.push(`${table}.${column}`);
    }
    return planted;
  } finally {
    await client.end();
  }
}

/** Puts a row of the workspace into every table, with secrets that the service can read. */
export async function fillTables(
  databaseUrl: string,
  { workspaceId, ownerId, key }: { readonly workspaceId: string; readonly ownerId: string; readonly key: string },
): Promise<void> {
  const box = createSecretBox(Buffer.from(key, "base64"));
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await seedTables(client, { ...freshIds(), workspaceId, ownerId, rows: "lasting" });
    for (const { kind, table, column, name } of secretColumns()) {
      const { rows } = await client.query<{ name: string }>(
        `select ${name}::text as name from ${table} where workspace_id = $1 and ${column} is not null`,
        [workspaceId],
      );
      for (const row of rows) {
        const secret = box.encrypt(`${kind} of ${row.name}`, secretContext(kind, workspaceId, row.name));
        await client.query(`update ${table} set ${column} = $3 where workspace_id = $1 and ${name}::text = $2`, [
          workspaceId,
          row.name,
          secret,
        ]);
      }
    }
  } finally {
    await client.end();
  }
}

function freshIds() {
  return {
    agentId: newId(),
    teamId: newId(),
    doneTask: newId(),
    waitingTask: newId(),
    pendingTask: newId(),
    interactionId: newId(),
  };
}

/** Searches all rows of all tables, and all files below a folder, for a text in any case. */
export async function searchAll(databaseUrl: string, folder: string, text: string): Promise<Found> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const found: string[] = [];
  try {
    const tables = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'm') and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and c.relpersistence <> 't' and c.relnamespace <> 'pg_toast'::regnamespace order by 1`,
    );
    for (const { name } of tables.rows) {
      const { rowCount } = await client.query(
        `select from ${name} t where strpos(lower(t::text), lower($1)) > 0 limit 1`,
        [text],
      );
      if (rowCount !== 0) found.push(name);
    }
  } finally {
    await client.end();
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (path.includes(text) || (await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}
