import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const LOCK = statement({
  name: "lock-resources",
  text: `select pg_try_advisory_xact_lock(hashtextextended('muster.resources ' || $1::text, 0)) as locked`,
});

/** Locks the description of a workspace until the transaction ends; false when another transaction has it. */
export async function lockResources(tx: Transaction, workspaceId: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(LOCK, [workspaceId]);
  return row?.locked ?? false;
}
