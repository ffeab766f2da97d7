import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const DELETE = statement({
  name: "delete-runs",
  text: `delete from runs where id = any($1::uuid[]) and parent_id is null`,
});

/** Deletes runs with all that belongs to them. A team run that works on a task is deleted with the task. */
export async function deleteRuns(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(DELETE, [ids]);
}
