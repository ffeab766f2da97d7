import { Client } from "pg";
import { eventually } from "../eventually.ts";

/** A statement that locks a row. */
export type Lock = readonly [text: string, id: string | undefined];

/** It has waited for a third of the second after which PostgreSQL looks for deadlocks: so it is ahead of the rival. */
const WAITS = `
  select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
    and waitstart < clock_timestamp() - interval '300 ms'`;

/**
 * Lets the service and a rival wait for each other, so that PostgreSQL undoes what the service does: it waits first,
 * and therefore is the first to look why. Where the role may say so, the rival looks only much later.
 * @param locks what the rival holds before, and what it wants when the service waits for the first
 * @param act what the service does; it must want both in the other order
 */
export async function inDeadlock<T>(
  databaseUrl: string,
  locks: { readonly held: Lock; readonly wanted: Lock },
  act: () => Promise<T>,
): Promise<T> {
  const rival = new Client({ connectionString: databaseUrl });
  const lock = ([text, id]: Lock) => rival.query(text, [id]);
  await rival.connect();
  try {
    await rival.query("set deadlock_timeout = '30s'").catch(onlyForSuperusers);
    await rival.query("begin");
    await lock(locks.held);
    const acted = act();
    await eventually("the service waits for the rival", async () => (await rival.query(WAITS)).rowCount === 1);
    await lock(locks.wanted);
    await rival.query("commit");
    return await acted;
  } finally {
    await rival.end();
  }
}

function onlyForSuperusers(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "42501")) throw error;
}
