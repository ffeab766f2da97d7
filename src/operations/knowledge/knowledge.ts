import { notFound, orNotFound } from "#domain/errors.ts";
import { unknownReference } from "#db/constraints.ts";
import type { DocumentPatch } from "#domain/knowledge/knowledge.ts";
import { MAX_LISTED_TAGS } from "#domain/tag-list.ts";
import * as rows from "#db/queries/knowledge/knowledge.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import type { DocumentFormat } from "#lib/extraction/format.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { storeBlob } from "../files/blobs.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Document");

/** The document to add. */
export interface NewDocument {
  readonly knowledgeBaseId: string;
  readonly name: string;
  readonly format: DocumentFormat;
  readonly mediaType: string;
  readonly content: Uint8Array;
  readonly tags: readonly string[];
}

/**
 * Stores a document's original; the caller inserts its row. Not for use inside a transaction: the blob store is outside
 * the database.
 * @throws AppError `bad_request` when the workspace has no such knowledge base.
 */
export async function storeOriginal(workspace: Workspace, document: NewDocument): Promise<rows.NewDocument> {
  const { knowledgeBaseId, content, mediaType, ...fields } = document;
  const [base] = await rows.knownBases(workspace, [knowledgeBaseId]);
  if (base === undefined) throw unknownReference("knowledge_base_id", "knowledge base");
  const id = newId();
  const { workspaceId, userId: createdBy } = workspace.who;
  const blobKey = `knowledge/${workspaceId}/${id}`;
  await storeBlob(workspace, { key: blobKey, content, mediaType });
  return { ...fields, id, workspaceId, knowledgeBaseId, mediaType, size: content.length, blobKey, createdBy };
}

/**
 * Adds a document whose original is stored, and queues its ingest. Faulty content shows later in its status.
 * @throws AppError `bad_request` when the workspace has no such knowledge base any more.
 */
export async function addDocument(workspace: Workspace, row: rows.NewDocument): Promise<JsonText> {
  return workspace.change(async (tx) => {
    await rows.insertDocument(tx, row);
    await tx.enqueue("ingest", row.id);
    return found(await readRecord(tx, "document", row.id));
  });
}

/** Reads a document's record. @throws AppError `not_found`. */
export async function getDocument(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "document", id));
}

/** Lists the tags of documents, in one knowledge base or in all. */
export function listDocumentTags(workspace: Workspace, knowledgeBaseId: string | undefined): Promise<string[]> {
  return rows.listDocumentTags(workspace, { knowledgeBaseId, limit: MAX_LISTED_TAGS });
}

/** Changes the given fields of a document. @throws AppError `not_found`. */
export async function updateDocument(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: DocumentPatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    await rows.updateDocument(tx, id, patch);
    return found(await readRecord(tx, "document", id));
  });
}

/**
 * Ingests a document again from its original, in any state; until then, it is not searchable. @throws AppError
 * `not_found`.
 */
export async function reprocessDocument(workspace: Workspace, id: string): Promise<JsonText> {
  return workspace.change(async (tx) => {
    if (!(await rows.restartDocument(tx, id))) throw notFound("Document");
    await tx.enqueue("ingest", id);
    return found(await readRecord(tx, "document", id));
  });
}

/** Deletes a document with its passages and its original. @throws AppError `not_found`. */
export async function deleteDocument(workspace: Workspace, id: string): Promise<void> {
  await workspace.change(async (tx) => {
    if (!(await rows.deleteDocument(tx, id))) throw notFound("Document");
    tx.sweep();
  });
}
