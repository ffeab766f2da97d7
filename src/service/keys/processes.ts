import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import { readKeyUse } from "#db/queries/access/data-keys.ts";
import type { KeyUse } from "#db/queries/access/data-keys.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";

const POLL_MS = 100;
/** Enough for a process to be told, and to say with its next beat that it knows. */
const PATIENCE_MS = 60_000;

/**
 * Waits until all living processes fulfil a condition.
 * @throws EncryptionKeyError when one does not
 */
export async function awaitProcesses(db: Database, leaseMs: number, isReady: (use: KeyUse) => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const [slow] = await findUsers(db, leaseMs, (use) => !isReady(use));
    if (slow === undefined) return;
    if (performance.now() > deadline) {
      throw new EncryptionKeyError(
        `${slow} does not take the new key; its log says why. Restart it, and run this again: it continues.`,
      );
    }
    await sleep(POLL_MS);
  }
}

/**
 * The names of the living processes of which this is true. A process lives if its beat number rises; one that was
 * killed is found out after a lease and a half by this process's own clock.
 */
export async function findUsers(
  db: Database,
  leaseMs: number,
  is: (use: KeyUse) => boolean,
): Promise<readonly string[]> {
  const beats = new Map<string, number>();
  const deadline = performance.now() + leaseMs * 1.5;
  for (;;) {
    const found = (await readKeyUse(db)).filter(is);
    const living = found.filter(({ id, beat }) => beat > (beats.get(id) ?? beat));
    if (living.length === found.length || performance.now() > deadline) return living.map(({ name }) => name);
    for (const { id, beat } of found) if (!beats.has(id)) beats.set(id, beat);
    await sleep(POLL_MS);
  }
}
