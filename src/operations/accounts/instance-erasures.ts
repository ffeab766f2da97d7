import type { Erasure } from "#domain/access/erasure.ts";
import { listErasures } from "#db/queries/access/erasures.ts";
import type { Workspace } from "../workspace.ts";
import { erasePerson } from "./erase-person.ts";
import { requireOperator } from "./instance-workspaces.ts";

/** Lists the receipts of erasures. @throws AppError `forbidden` unless the caller operates the instance. */
export async function listInstanceErasures(workspace: Workspace): Promise<Erasure[]> {
  await requireOperator(workspace.db, workspace.who);
  return listErasures(workspace.db);
}

/** The person whom an operator erases. */
export interface ErasedByAddress {
  readonly email: string;
  readonly confirm: string;
  /** One of the person's, for an address that several accounts have. */
  readonly workspace_id?: string | undefined;
}

/**
 * Erases any person: see {@link erasePerson}.
 * @throws AppError `forbidden` unless the caller operates the instance; and as that does
 */
export async function eraseInstancePerson(workspace: Workspace, given: ErasedByAddress): Promise<Erasure> {
  const { db, who: actor } = workspace;
  await requireOperator(db, actor);
  return erasePerson(db, { email: given.email, workspaceId: given.workspace_id, actor }, given.confirm);
}
