import { AppError, notFound } from "#domain/errors.ts";
import { safeName, typeOfUpload } from "#domain/files/file.ts";
import type { Principal } from "#domain/access/principal.ts";
import { deleteFile as deleteRow, findFile, insertFile, lockFile } from "#db/queries/files/files.ts";
import type { NewFile, StoredFile } from "#db/queries/files/files.ts";
import { readRecord, readRecordIn } from "#db/queries/tasks/read-record.ts";
import { BlobMissing } from "#lib/blobs/blob-store.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { sniffType } from "#lib/blobs/sniff-type.ts";
import { storeBlob } from "./blobs.ts";
import type { Services } from "../context.ts";

/** States in which a task or a run has no more use for its files. */
const ENDED = new Set(["completed", "failed", "cancelled"]);

/** A file as it arrives. */
export interface Upload {
  readonly name: string;
  /** The media type that the sender declares; empty for none. */
  readonly declared: string;
  readonly content: Uint8Array;
}

/**
 * Inserts the row of a file whose content is stored ({@link storeUpload}). It belongs to no task until one is made with
 * it; after a day without one it is removed.
 */
export async function insertUpload(services: Services, who: Principal, file: NewFile): Promise<JsonText> {
  const record = await services.db.inWorkspace(who, async (tx) => {
    await insertFile(tx, file);
    return readRecordIn(tx, "file", file.id);
  });
  return found(record);
}

/**
 * Judges a file and stores its content; its row is still to be inserted. Without one it is swept. Not for the inside
 * of a transaction: the store is beyond the database.
 * @throws AppError `bad_request`, `payload_too_large` or `unsupported_media_type`.
 */
export async function storeUpload(services: Services, who: Principal, upload: Upload): Promise<NewFile> {
  const { content } = upload;
  const name = safeName(upload.name);
  const type = await judge(services, { ...upload, name });
  const id = newId();
  const { workspaceId, userId: createdBy } = who;
  const blobKey = `files/${workspaceId}/${id}`;
  await storeBlob(services, { key: blobKey, content, mediaType: type });
  return { id, workspaceId, name, type, size: content.length, blobKey, createdBy };
}

/** Reads what is known of a file. @throws AppError `not_found`. */
export async function getFile(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who, "file", id));
}

/** Deletes a file with its content. @throws AppError `not_found`; `conflict` while its task or run has not ended. */
export async function deleteFile(services: Services, who: Principal, id: string): Promise<void> {
  await services.db.inWorkspace(who, async (tx) => {
    const owners = await lockFile(tx, id);
    if (owners === undefined) throw notFound("File");
    const status = owners.taskStatus ?? owners.runStatus;
    if (status !== null && !ENDED.has(status)) {
      throw new AppError("conflict", `The file belongs to work that is ${status}; cancel that first.`);
    }
    await deleteRow(tx, id);
  });
  services.sweeper.soon();
}

/** A file with its content, to be sent on. */
export interface OpenedFile extends StoredFile {
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * Opens a file by its signed address.
 * @throws AppError `forbidden` for an address that the service has not made, `gone` for one whose time is up,
 *   `not_found` when the file was deleted, `internal_error` when its content is not where it should be.
 */
export async function openByLink(
  services: Services,
  link: { readonly fileId: string; readonly expires: string; readonly signature: string },
): Promise<OpenedFile> {
  const state = services.links.check(link);
  if (state === "forged") throw new AppError("forbidden", "The signature of this address is wrong.");
  if (state === "expired") {
    throw new AppError("gone", "The time of this address is up. GET /files/<id> with a key gives a new one.");
  }
  const file = await findFile(services.db, link.fileId);
  if (file === undefined) throw notFound("File");
  return { ...file, content: await services.blobs.stream(file.blobKey).catch(explainMissing) };
}

/** Lets an operator find out why a content is not there. */
function explainMissing(error: unknown): never {
  if (!(error instanceof BlobMissing)) throw error;
  throw new AppError("internal_error", error.message, { cause: error });
}

async function judge({ maxFileBytes }: Services, { name, declared, content }: Upload): Promise<string> {
  if (content.length === 0) throw new AppError("bad_request", "The file is empty.");
  if (content.length > maxFileBytes) {
    throw new AppError("payload_too_large", `A file may have ${maxFileBytes} bytes; this one has ${content.length}.`);
  }
  const type = typeOfUpload({ name, declared, sniffed: await sniffType(content) });
  if (type === "application/json" && !isJson(content)) {
    throw new AppError("bad_request", "The file is declared as application/json, but its content is not JSON.");
  }
  return type;
}

function isJson(content: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(content));
    return true;
  } catch {
    return false;
  }
}

function found(record: JsonText | undefined): JsonText {
  if (record === undefined) throw notFound("File");
  return record;
}
