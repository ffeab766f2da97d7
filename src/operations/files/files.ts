import { AppError, orNotFound } from "#domain/errors.ts";
import { safeName, typeOfUpload } from "#domain/files/file.ts";
import { deleteFile as deleteRow, findFile, insertFile, lockFile } from "#db/queries/files/files.ts";
import type { NewFile, StoredFile } from "#db/queries/files/files.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import { newId } from "#lib/ids.ts";
import { findJsonProblem } from "#lib/text/find-json-problem.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { sniffType } from "#lib/blobs/sniff-type.ts";
import { storeBlob } from "./blobs.ts";
import type { Services } from "../context.ts";
import { formatSize } from "#lib/text/format-size.ts";
import type { Upload } from "#domain/files/sent-file.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("File");

/** States in which a task or a run no longer needs its files. */
const ENDED = new Set(["completed", "failed", "cancelled"]);

/**
 * Inserts the row of a file whose content is stored ({@link storeUpload}). It is deleted after a day unless a task is
 * created with it.
 */
export async function insertUpload(workspace: Workspace, file: NewFile): Promise<JsonText> {
  const record = await workspace.transaction(async (tx) => {
    await insertFile(tx, file);
    return readRecord(tx, "file", file.id);
  });
  return found(record);
}

/**
 * Checks a file and stores its content; the caller inserts its row, else the content is swept. Not for use inside a
 * transaction: the blob store is outside the database.
 * @throws AppError `bad_request`, `payload_too_large` or `unsupported_media_type`.
 */
export async function storeUpload(workspace: Workspace, upload: Upload): Promise<NewFile> {
  const { content } = upload;
  const name = safeName(upload.name);
  const type = await checkUpload(workspace, { ...upload, name });
  const id = newId();
  const { workspaceId, userId: createdBy } = workspace.who;
  const blobKey = `files/${workspaceId}/${id}`;
  await storeBlob(workspace, { key: blobKey, content, mediaType: type });
  return { id, workspaceId, name, type, size: content.length, blobKey, createdBy };
}

/** Reads a file's record. @throws AppError `not_found`. */
export async function getFile(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "file", id));
}

/** Deletes a file with its content. @throws AppError `not_found`; `conflict` while its task or run has not ended. */
export async function deleteFile(workspace: Workspace, id: string): Promise<void> {
  await workspace.change(async (tx) => {
    const owners = found(await lockFile(tx, id));
    const { status } = owners;
    if (status !== null && !ENDED.has(status)) {
      throw new AppError("conflict", `The file belongs to a task or run that is ${status}; cancel it first.`);
    }
    await deleteRow(tx, id);
    tx.sweep();
  });
}

/** A file with its content, ready to send. */
export interface OpenedFile extends StoredFile {
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * Opens a file by its signed URL.
 * @throws AppError `forbidden` for an invalid signature, `gone` for an expired URL, `not_found` when the file was
 * deleted, `internal_error` when its content is missing.
 */
export async function openByLink(
  services: Services,
  link: { readonly fileId: string; readonly expires: string; readonly signature: string },
): Promise<OpenedFile> {
  const state = services.links.check(link);
  if (state === "forged") throw new AppError("forbidden", "The signature of this URL is invalid.");
  if (state === "expired") {
    throw new AppError("gone", "This URL has expired. GET /files/<id> with a key returns a new one.");
  }
  const file = found(await findFile(services.db, link.fileId));
  return { ...file, content: await services.blobs.stream(file.blobKey).catch(explainMissing) };
}

/** Logs why a content is missing, for the operator. */
function explainMissing(error: unknown): never {
  if (!(error instanceof BlobMissingError)) throw error;
  throw new AppError("internal_error", error.message, { cause: error });
}

async function checkUpload({ maxFileBytes }: Services, { name, declared, content }: Upload): Promise<string> {
  if (content.length === 0) throw new AppError("bad_request", "The file is empty.");
  if (content.length > maxFileBytes) {
    throw new AppError("payload_too_large", `The file is larger than ${formatSize(maxFileBytes)}, the limit.`);
  }
  const type = typeOfUpload({ name, declared, sniffed: await sniffType(content) });
  const problem = type === "application/json" ? await findJsonProblem(content) : null;
  if (problem === null) return type;
  const message = `The file is declared as application/json, but its content is not JSON: ${problem}.`;
  throw new AppError("bad_request", message);
}
