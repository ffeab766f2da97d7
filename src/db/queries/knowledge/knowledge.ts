import type { FoundPassage, DocumentPatch } from "#domain/knowledge/knowledge.ts";
import type { DocumentFormat } from "#lib/extraction/format.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-document",
  text: `
    insert into knowledge_documents (id, workspace_id, knowledge_base_id, name, format, media_type, size, tags, blob_key,
      created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
});

/** A document to insert; its content is already stored. */
export interface NewDocument {
  readonly id: string;
  readonly workspaceId: string;
  readonly knowledgeBaseId: string;
  readonly name: string;
  readonly format: DocumentFormat;
  readonly mediaType: string;
  readonly size: number;
  readonly tags: readonly string[];
  readonly blobKey: string;
  readonly createdBy: string;
}

/** Inserts a queued document. */
export async function insertDocument(tx: Transaction, document: NewDocument): Promise<void> {
  const { id, workspaceId, knowledgeBaseId, name, format, mediaType, size, tags, blobKey, createdBy } = document;
  await tx.query(INSERT, [id, workspaceId, knowledgeBaseId, name, format, mediaType, size, tags, blobKey, createdBy]);
}

const UPDATE = statement({
  name: "update-document",
  text: `
    update knowledge_documents set name = coalesce($2, name), tags = coalesce($3, tags), updated_at = clock_timestamp()
    where id = $1`,
});

/** Changes the given fields of a document. */
export async function updateDocument(tx: Transaction, documentId: string, patch: DocumentPatch): Promise<void> {
  await tx.query(UPDATE, [documentId, patch.name ?? null, patch.tags ?? null]);
}

// Before the document is locked: an ingest locks its job first, and writes on while passages are deleted.
const END_INGEST = statement({
  name: "end-ingest-of-document",
  text: `
    with ended as (delete from jobs where subject_id = $1 and kind = 'ingest' returning id)
    select pg_notify('muster_cancel', id::text) from ended`,
});
const RESTART = statement({
  name: "restart-document",
  text: `
    with again as (
      update knowledge_documents set attempt = attempt + 1, status = 'pending', progress = 0,
        passages = 0, space = null, error = null, warning = null, updated_at = clock_timestamp()
      where id = $1 returning id
    ), gone as (
      delete from passages p using again where p.document_id = again.id
    )
    select id from again`,
});

/** Restarts the ingest of a document: aborts the one in progress; returns whether there is such a document. */
export async function restartDocument(tx: Transaction, documentId: string): Promise<boolean> {
  await tx.query(END_INGEST, [documentId]);
  return (await tx.query(RESTART, [documentId])).length > 0;
}

const DELETE = statement({
  name: "delete-document",
  text: `delete from knowledge_documents where id = $1 returning id`,
});

/** Deletes a document with its passages, and aborts its ingest; returns whether there was one. */
export async function deleteDocument(tx: Transaction, documentId: string): Promise<boolean> {
  await tx.query(END_INGEST, [documentId]);
  return (await tx.query(DELETE, [documentId])).length > 0;
}

const BASES = statement({
  name: "list-knowledge-base-ids",
  text: `select id from knowledge_bases where $1::uuid[] is null or id = any ($1) order by id`,
});

/** The ids of the workspace's knowledge bases, all or those among `ids`. */
export async function knownBases(db: WorkspaceDatabase, ids: readonly string[] | undefined): Promise<string[]> {
  const rows = await db.query<{ id: string }>(BASES, [ids ?? null]);
  return rows.map(({ id }) => id);
}

const LIST_TAGS = statement({
  name: "list-document-tags",
  text: `
    select distinct tag collate "C" as tag from knowledge_documents cross join unnest(tags) as tag
    where workspace_id = current_workspace_id() and ($1::uuid is null or knowledge_base_id = $1) order by 1 limit $2`,
});

/** The tags of documents, in one knowledge base or in all, each once, in order. */
export async function listDocumentTags(
  db: WorkspaceDatabase,
  { knowledgeBaseId, limit }: { readonly knowledgeBaseId: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await db.query<{ tag: string }>(LIST_TAGS, [knowledgeBaseId ?? null, limit]);
  return rows.map(({ tag }) => tag);
}

const TAGGED = statement({
  name: "list-tagged-documents",
  text: `
    select d.id from unnest($1::uuid[]) as base (id)
    cross join lateral (
      select id from knowledge_documents where knowledge_base_id = base.id and tags @> $2::text[]
    ) d`,
});

/** The documents of these knowledge bases that have all of these tags. */
export async function taggedDocuments(
  db: WorkspaceDatabase,
  { bases, tags }: { readonly bases: readonly string[]; readonly tags: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(TAGGED, [bases, tags]);
  return rows.map(({ id }) => id);
}

const FINDS = statement({
  name: "read-finds",
  text: `
    select asked.id, p.content, p.heading, p.page, p.position,
      json_build_object('id', d.id, 'name', d.name, 'tags', d.tags) as document, p.scope as knowledge_base_id
    from unnest($1::uuid[]) with ordinality as asked (id, place)
    cross join lateral (select * from passages where id = asked.id) p
    cross join lateral (select * from knowledge_documents where id = p.document_id and status = 'ready') d
    order by asked.place limit $2`,
});

/** Reads passages of ready documents, in the order of their ids, with their sources. */
export async function readFinds(
  db: WorkspaceDatabase,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<(Omit<FoundPassage, "score"> & { readonly id: string })[]> {
  return db.query<Omit<FoundPassage, "score"> & { readonly id: string }>(FINDS, [ids, limit]);
}
