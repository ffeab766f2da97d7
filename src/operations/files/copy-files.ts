import type { Principal } from "#domain/access/principal.ts";
import { insertFile, inputsOfForked } from "#db/queries/files/files.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import type { Transaction } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { storeBlob } from "./blobs.ts";
import type { Services } from "../context.ts";

/**
 * Copies what a run was given, for a fork of it: each has its own, so that one can be deleted without the other.
 * The rows are still to be inserted, by {@link insertCopies}; contents without one are swept.
 * @throws BlobStoreError when a content is not there.
 */
export async function copyInputs(services: Services, who: Principal, runId: string): Promise<readonly NewFile[]> {
  const { workspaceId, userId: createdBy } = who;
  const inputs = await services.db.inWorkspace(who, (tx) => inputsOfForked(tx, runId));
  const copies: NewFile[] = [];
  for (const { name, type, size, blobKey: source } of inputs) {
    const id = newId();
    const blobKey = `files/${workspaceId}/${id}`;
    await storeBlob(services, { key: blobKey, content: await services.blobs.get(source), mediaType: type });
    copies.push({ id, workspaceId, name, type, size, blobKey, createdBy });
  }
  return copies;
}

/** Gives copies to a fork that is made in the same transaction. */
export async function insertCopies(
  tx: Transaction,
  copies: readonly NewFile[],
  owner: NonNullable<NewFile["owner"]>,
): Promise<void> {
  await allSettledOrThrow(copies.map((copy) => insertFile(tx, { ...copy, owner })));
}
