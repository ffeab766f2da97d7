import { insertFile, inputsOfForked } from "#db/queries/files/files.ts";
import type { NewFile, StoredFile } from "#db/queries/files/files.ts";
import type { Transaction } from "#db/database.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { storeBlob } from "./blobs.ts";
import type { Workspace } from "../workspace.ts";

/**
 * Copies the input files of a run for its fork, so that each can be deleted independently. {@link insertCopies} then
 * inserts the rows; contents without one are swept.
 * @throws BlobStoreError when a content is missing.
 */
export async function copyInputs(workspace: Workspace, runId: string): Promise<readonly NewFile[]> {
  const inputs = await workspace.transaction((tx) => inputsOfForked(tx, runId));
  const copies: NewFile[] = [];
  for (const input of inputs) copies.push(await copyFile(workspace, input));
  return copies;
}

/** Copies the content of a file; the caller inserts the row. @throws BlobStoreError when the content is missing. */
export async function copyFile(
  workspace: Workspace,
  { name, type, size, blobKey: source }: StoredFile,
): Promise<NewFile> {
  const id = newId();
  const blobKey = `files/${workspace.who.workspaceId}/${id}`;
  await storeBlob(workspace, { key: blobKey, content: await workspace.blobs.get(source), mediaType: type });
  return { id, workspaceId: workspace.who.workspaceId, name, type, size, blobKey, createdBy: workspace.who.userId };
}

/** Attaches copies to a fork that the same transaction creates. */
export async function insertCopies(
  tx: Transaction,
  copies: readonly NewFile[],
  owner: NonNullable<NewFile["owner"]>,
): Promise<void> {
  await allSettledOrThrow(copies.map((copy) => insertFile(tx, { ...copy, owner })));
}
