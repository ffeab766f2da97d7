import type { Database } from "#db/database.ts";
import { deletePasskeys, lockPasskeys } from "#db/queries/accounts/passkeys.ts";
import { endSessions } from "#db/queries/accounts/sessions.ts";
import { findMeant } from "./passwords.ts";

/**
 * Removes all passkeys of a person who has lost them, and ends their sessions, for an operator with database access.
 * @param workspaceId a workspace of the person, for an address that several accounts have and none claims
 * @returns how many there were
 * @throws AppError `not_found` when no account has this e-mail address; `conflict` when several have.
 */
export async function forgetPasskeys(db: Database, email: string, workspaceId?: string): Promise<number> {
  const { id } = await findMeant(db, email, workspaceId);
  return db.transaction(async (tx) => {
    await lockPasskeys(tx, id);
    const removed = await deletePasskeys(tx, id);
    await endSessions(tx, id, null);
    return removed;
  });
}
