import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";

const FOLDER = join(import.meta.dirname, "routines");
const SETTING = "schema_routines_checksum";

/**
 * Applies the files of `routines/`, which create or replace all functions, triggers and views, in name order and in one
 * transaction; skips them if the database has them already. Requires the tables of the newest migration.
 * @returns whether they were applied
 */
export async function applyRoutines(client: Client): Promise<boolean> {
  const texts = await readRoutines();
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  const checksum = hash.digest("hex");
  const { rowCount } = await client.query("select from instance_settings where key = $1 and value = $2", [
    SETTING,
    checksum,
  ]);
  if (rowCount !== 0) return false;
  await client.query("begin");
  try {
    for (const text of texts) await client.query(text);
    await client.query(
      `insert into instance_settings (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [SETTING, checksum],
    );
    await client.query("commit");
  } catch (error) {
    // On a lost connection it fails as well, with a less useful message.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
  return true;
}

async function readRoutines(): Promise<string[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(names.map((name) => readFile(join(FOLDER, name), "utf8")));
}
