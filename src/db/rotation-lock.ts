import { Client } from "pg";
import { KEEP_ALIVE, named } from "./pool.ts";
import { rowsOnClient } from "./rows-on-client.ts";
import { statement } from "./statement.ts";

/** The number of the lock that a rotation of the encryption key holds; see MIGRATION_LOCK and BACKUP_LOCK. */
const ROTATION_LOCK = 687_839;

const LOCK = statement({ name: "lock-rotation", text: "select pg_try_advisory_lock($1) as locked" });

/**
 * Runs a function while no other process rotates the encryption key; the lock ends with the process.
 * @returns the result; undefined, without running it, when another process does
 */
export async function withRotationLock<T>(
  url: string,
  run: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  const client = new Client({ connectionString: named(url), ...KEEP_ALIVE });
  // Its statement then fails as well, with a better message.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const [row] = await rowsOnClient<{ locked: boolean }>(client, LOCK, [ROTATION_LOCK]);
    return row?.locked === true ? { result: await run() } : undefined;
  } finally {
    await client.end();
  }
}
