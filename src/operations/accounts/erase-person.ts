import { AppError, orNotFound } from "#domain/errors.ts";
import type { Erasure } from "#domain/access/erasure.ts";
import type { Database } from "#db/database.ts";
import * as rows from "#db/queries/access/erasures.ts";
import { actAs } from "#db/queries/access/operated-workspaces.ts";
import type { OperatorActor } from "#db/queries/access/operated-workspaces.ts";
import { findMeant } from "./passwords.ts";

/** A person to erase, and who asks for it; undefined: the operator at the machine. */
export interface ErasedAccount {
  readonly email: string;
  /** A workspace of the person, for an address that several accounts have and none claims. */
  readonly workspaceId?: string | undefined;
  readonly actor?: OperatorActor | undefined;
}

/**
 * Erases a person: their access ends before this returns. Their name and address are removed soon after, which continues
 * after a crash (`purge`). Returns the receipt, which is not complete yet.
 * @throws AppError `not_found`; `bad_request` when `confirm` is not the address; `conflict` for a service account, and
 * for the only owner of a workspace.
 */
export async function erasePerson(
  db: Database,
  { email, workspaceId, actor }: ErasedAccount,
  confirm: string,
): Promise<Erasure> {
  if (confirm.toLowerCase() !== email.toLowerCase()) {
    throw new AppError("bad_request", "Confirm with the person's e-mail address.");
  }
  const { id } = await findMeant(db, email, workspaceId);
  await db.transaction(async (tx) => {
    await actAs(tx, actor);
    const person = orNotFound("Person")(await rows.lockPerson(tx, id));
    if (person.isProgram === true) {
      throw new AppError(
        "conflict",
        "This is a service account: its workspace removes it with muster service-accounts.",
      );
    }
    const owned = await rows.onlyOwnedBy(tx, id);
    if (owned.length > 0) throw onlyOwner(owned);
    if (!(await rows.beginErasure(tx, { kind: "person", subjectId: id, actor }))) return;
    await rows.endAccess(tx, id);
    await rows.recordPersonErased(tx, id);
  });
  return orNotFound("Erasure")(await rows.readErasure(db, id));
}

function onlyOwner(slugs: readonly string[]): AppError {
  const which = slugs.length === 1 ? `the workspace ${slugs[0]}` : `the workspaces ${slugs.join(", ")}`;
  return new AppError(
    "conflict",
    `This person is the only owner of ${which}. Make somebody else an owner, or erase the workspace; nothing was changed.`,
  );
}
