import { invalid } from "#domain/invalid.ts";
import type { Transaction } from "#db/database.ts";
import { linkFiles } from "#db/queries/files/files.ts";
import type { FileOwner } from "#db/queries/files/files.ts";

/**
 * Attaches uploads to a task or a run that the same transaction creates; they belong to it from then on.
 * @throws AppError `bad_request` naming each one that the workspace lacks or that is attached already.
 */
export async function attachFiles(tx: Transaction, ids: readonly string[], owner: FileOwner): Promise<void> {
  if (ids.length === 0) return;
  const linked = new Set(await linkFiles(tx, ids, owner));
  const issues = ids.flatMap((id, index) =>
    linked.has(id) ? [] : [{ path: `attachments.${index}`, message: `there is no unattached file ${id}` }],
  );
  if (issues.length > 0) throw invalid("body", issues);
}
