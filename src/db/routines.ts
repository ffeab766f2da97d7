import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "pg";
import { inTransaction } from "./migration/apply.ts";

const FOLDER = join(import.meta.dirname, "routines");
const SETTING = "schema_routines_checksum";

/**
 * Applies the files of `routines/`, which create or replace all functions, triggers and views, in name order and in one
 * transaction; skips them if the database has them already. Requires the tables of the newest migration.
 */
export async function applyRoutines(client: Client): Promise<void> {
  if (await hasRoutines(client)) return;
  const texts = await readRoutines();
  await inTransaction({ client }, async () => {
    for (const text of texts) await client.query(text);
    await client.query(
      `insert into instance_settings (key, value) values ($1, $2)
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [SETTING, checksumOf(texts)],
    );
  });
}

/** Whether the database has the functions, triggers and views of this program. */
export async function hasRoutines(client: Client): Promise<boolean> {
  const checksum = checksumOf(await readRoutines());
  const text = "select from instance_settings where key = $1 and value = $2";
  return (await client.query(text, [SETTING, checksum])).rowCount !== 0;
}

function checksumOf(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  return hash.digest("hex");
}

async function readRoutines(): Promise<string[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(names.map((name) => readFile(join(FOLDER, name), "utf8")));
}
