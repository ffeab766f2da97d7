import { invalid } from "#domain/invalid.ts";
import type { Transaction } from "#db/database.ts";
import { linkFiles } from "#db/queries/files/files.ts";
import type { FileOwner } from "#db/queries/files/files.ts";

/**
 * Gives uploads to a task or a run that is made in the same transaction; they are its own from then on.
 * @throws AppError `bad_request` naming each that the workspace does not have, or that belongs to other work.
 */
export async function attachFiles(tx: Transaction, ids: readonly string[], owner: FileOwner): Promise<void> {
  if (ids.length === 0) return;
  const linked = new Set(await linkFiles(tx, ids, owner));
  const faults = ids.flatMap((id, index) =>
    linked.has(id)
      ? []
      : [{ path: `attachments.${index}`, message: `there is no file ${id} that belongs to no task or run yet` }],
  );
  if (faults.length > 0) throw invalid("body", faults);
}
