import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { SEEDED, backupCondition, readBackupTables } from "../queries/backup/backup-tables.ts";
import type { BackupTable } from "../queries/backup/backup-tables.ts";
import { readIndexes, readReferences } from "../queries/backup/restore-tables.ts";
import { columnsOf, connectionFor, quoted } from "./snapshot.ts";

/** What an index may sort in memory: less than a small server has. */
const SORT_MEMORY = "128MB";

/** The rows to load into empty tables. */
export interface Load {
  /** Opens a table for rows; one at a time. */
  open(table: BackupTable): OpenTable;
  /** Writes a setting of the instance. */
  setting(key: string, value: string): Promise<void>;
}

/** A table that takes rows. */
export interface OpenTable {
  /** Takes a part of the rows' text, as COPY reads it. */
  write(part: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** The database has rows already; the message names tables. */
export class NotEmptyError extends Error {
  override readonly name = "NotEmptyError";
}

/**
 * Loads rows into a database of this program's schema whose tables are empty, in one transaction. Indexes and foreign
 * keys are made again at the end, when all rows are there, which is faster; triggers do not run, because what they would
 * write is loaded, too.
 * @throws NotEmptyError before the first row
 */
export async function loadInto(url: string, run: (load: Load) => Promise<void>): Promise<void> {
  const client = connectionFor(url);
  await client.connect();
  try {
    await client.query("begin");
    const tables = await readBackupTables(client);
    await assertEmpty(client, tables);
    for (const name of SEEDED) await client.query(`delete from public.${quoted(name)}`);
    const [references, indexes] = [await readReferences(client), await readIndexes(client)];
    for (const { drop } of [...references, ...indexes]) await client.query(drop);
    for (const table of tables) await client.query(`alter table ${nameOf(table)} disable trigger user`);
    await run({
      open: (table) => openTable(client, table),
      async setting(key, value) {
        await client.query("insert into public.instance_settings (key, value) values ($1, $2)", [key, value]);
      },
    });
    for (const table of tables) await client.query(`alter table ${nameOf(table)} enable trigger user`);
    await client.query(`set local maintenance_work_mem = '${SORT_MEMORY}'`);
    for (const { add } of [...indexes, ...references]) await client.query(add);
    await client.query("commit");
    // The planner knows the tables as empty.
    await client.query(`analyze ${tables.map(nameOf).join(", ")}`);
  } finally {
    await client.end();
  }
}

function openTable(client: Client, table: BackupTable): OpenTable {
  const target = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
  const done = finished(target);
  // Reported by the next call.
  done.catch(() => undefined);
  return {
    async write(part) {
      if (!target.write(part)) await Promise.race([once(target, "drain"), done]);
    },
    async end() {
      target.end();
      await done;
    },
  };
}

async function assertEmpty(client: Client, tables: readonly BackupTable[]): Promise<void> {
  const filled: string[] = [];
  for (const table of tables.filter(({ name }) => !SEEDED.has(name))) {
    const { rowCount } = await client.query(`select from ${nameOf(table)} where ${backupCondition(table)} limit 1`);
    if (rowCount !== 0) filled.push(table.name);
  }
  if (filled.length === 0) return;
  const more = filled.length > 3 ? ", …" : "";
  throw new NotEmptyError(
    `The database has rows already (${filled.slice(0, 3).join(", ")}${more}). Restore into an empty one; nothing was changed.`,
  );
}

function nameOf({ name }: BackupTable): string {
  return `public.${quoted(name)}`;
}
