import type { IngestJob } from "#domain/knowledge/ingest-job.ts";
import { serviceIn } from "#domain/access/role.ts";
import type { Passage } from "#lib/extraction/chunk-blocks.ts";
import type { DocumentFormat } from "#lib/extraction/format.ts";
import { newId } from "#lib/ids.ts";
import type { Database } from "../../database.ts";
import type { JobOwner } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";
import type { StatementOf } from "../../statement.ts";

/** An execution of an ingest attempt. */
export interface IngestExecution extends IngestJob {
  readonly owner: JobOwner;
}

/**
 * SQL: `owned` is the attempt `$2` of the document `$1`, if it is in a state and the execution `$3`, `$4`, `$5` owns its
 * job. The document is locked before the job, as a deletion does.
 */
function lockOwned(states: string, lock = "no key update"): string {
  return `
    held as materialized (
      select d.id, d.workspace_id, d.knowledge_base_id from knowledge_documents d
      where d.id = $1 and d.attempt = $2 and d.status in (${states}) for ${lock}
    ), owned as (
      select held.* from held cross join lateral (
        select j.id from jobs j
        where j.id = $3 and j.executor_id is not distinct from $4 and j.fence = $5 and j.subject_id = held.id for share) j
    )`;
}
/** SQL: the same for an attempt in progress. */
const UNDER_WAY = lockOwned("'processing'");
/** SQL: ends the job of `document`. */
const DONE = "done as (delete from jobs j using document where j.id = $3)";

const BEGIN = statement({
  name: "begin-ingest",
  text: `
    with ${lockOwned("'pending', 'processing'")}
    update knowledge_documents d set status = 'processing', updated_at = clock_timestamp()
    from owned where d.id = owned.id
    returning d.format, d.blob_key as "blobKey",
      (select b.embedding_model from knowledge_bases b where b.id = d.knowledge_base_id) as "embeddingModel",
      d.passages as stored`,
});

/** A document during its ingest. */
export interface BegunIngest {
  readonly format: DocumentFormat;
  readonly blobKey: string;
  /** The embedding model of its knowledge base: `provider/model`, or `none`; null for the instance's default. */
  readonly embeddingModel: string | null;
  /** The number of passages that earlier executions have stored, without gaps from the first. */
  readonly stored: number;
}

/** Begins or continues an attempt; undefined when it must no longer run. */
export async function beginIngest(db: Database, job: IngestExecution): Promise<BegunIngest | undefined> {
  const [row] = await change<BegunIngest>(db, job, BEGIN);
  return row;
}

// The document's row is only locked in share mode, so several batches can be stored concurrently.
const STORE = statement({
  name: "store-passages",
  text: `
    with ${lockOwned("'processing'", "share")}, stored as (
      insert into passages (id, workspace_id, scope, document_id, position, heading, page, content)
      select t.id, d.workspace_id, d.knowledge_base_id, d.id, $6::integer + t.place - 1, t.heading, t.page, t.content
      from owned d, unnest($7::uuid[], $8::text[], $9::integer[], $10::text[])
        with ordinality as t (id, heading, page, content, place)
      on conflict (document_id, position) do nothing
    )
    select id from owned`,
});

/** Consecutive passages of a document. */
export interface PassageBatch {
  /** The index of the first passage, from 0. */
  readonly first: number;
  readonly passages: readonly Passage[];
}

/** Stores passages, each once; returns whether the attempt is still in progress. */
export async function storePassages(
  db: Database,
  job: IngestExecution,
  { first, passages }: PassageBatch,
): Promise<boolean> {
  const ids = passages.map(() => newId());
  const headings = passages.map(({ heading }) => heading);
  const pages = passages.map(({ page }) => page);
  const contents = passages.map(({ content }) => content);
  return (await change(db, job, STORE, [first, ids, headings, pages, contents])).length > 0;
}

const RECORD = statement({
  name: "record-stored-passages",
  text: `
    with ${UNDER_WAY}
    update knowledge_documents d set passages = $6, progress = $7, updated_at = clock_timestamp()
    from owned where d.id = owned.id returning d.id`,
});

/** The progress of an ingest. */
export interface IngestProgress {
  /** The number of passages stored, without gaps from the first. */
  readonly stored: number;
  readonly percent: number;
}

/** Records progress, from which another execution can continue; returns whether the attempt is still in progress. */
export async function recordStored(db: Database, job: IngestExecution, progress: IngestProgress): Promise<boolean> {
  return (await change(db, job, RECORD, [progress.stored, progress.percent])).length > 0;
}

const INDEX_KEYWORDS = statement({ name: "index-pending-passages", text: `select index_pending_passages()` });

/** Merges the pending list of the full-text index, so that searches stay fast after an ingest. */
export async function indexPendingKeywords(db: Database): Promise<void> {
  await db.query(INDEX_KEYWORDS);
}

const UNEMBEDDED = statement({
  name: "read-unembedded-passages",
  text: `
    select p.id, p.position, concat_ws(E'\\n', p.heading, p.content) as text from passages p
    where p.document_id = $1 and p.position >= $2
      and (select e.passage_id from passage_embeddings e where e.passage_id = p.id) is null
    order by p.position limit $3`,
});

/** A passage as it is embedded, with its heading. */
export interface UnembeddedPassage {
  readonly id: string;
  readonly position: number;
  readonly text: string;
}

/** The next passages of a document without vectors, from an index. */
export function readUnembedded(
  db: Database,
  { workspaceId, documentId }: IngestExecution,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<UnembeddedPassage[]> {
  return db.inWorkspace(serviceIn(workspaceId)).query<UnembeddedPassage>(UNEMBEDDED, [documentId, from, limit]);
}

const STORE_VECTORS = statement({
  name: "store-embeddings",
  text: `
    with ${UNDER_WAY}, document as (
      update knowledge_documents d set progress = $6, space = $7, updated_at = clock_timestamp()
      from owned where d.id = owned.id returning d.id, d.workspace_id, d.knowledge_base_id
    ), stored as (
      insert into passage_embeddings (passage_id, workspace_id, scope, space, embedding)
      select t.id, d.workspace_id, d.knowledge_base_id, $7, t.embedding::real[]
      from document d, unnest($8::uuid[], $9::text[]) as t (id, embedding)
      on conflict do nothing
    )
    select id from document`,
});

/** Vectors of passages, all of one embedding space. */
export interface VectorBatch {
  /** `provider/model/dimensions` */
  readonly space: string;
  readonly ids: readonly string[];
  readonly vectors: readonly (readonly number[])[];
  /** The progress after storing them, in percent. */
  readonly progress: number;
}

/** Stores vectors, each once; returns whether the attempt is still in progress. */
export async function storeVectors(
  db: Database,
  job: IngestExecution,
  { progress, space, ids, vectors }: VectorBatch,
): Promise<boolean> {
  const arrays = vectors.map((vector) => `{${vector.join(",")}}`);
  return (await change(db, job, STORE_VECTORS, [progress, space, ids, arrays])).length > 0;
}

const FINISH = statement({
  name: "finish-ingest",
  text: `
    with ${UNDER_WAY}, document as (
      update knowledge_documents d set status = 'ready', progress = 100, warning = $6, updated_at = clock_timestamp(),
        passages = (select count(*) from passages p where p.document_id = d.id)
      from owned where d.id = owned.id returning d.id
    ), ${DONE}
    select id from document`,
});

/** Ends an attempt with success. @param warning the missing parts, if any */
export async function finishIngest(db: Database, job: IngestExecution, warning: string | null): Promise<void> {
  await change(db, job, FINISH, [warning]);
}

const FAIL = statement({
  name: "fail-ingest",
  text: `
    with ${UNDER_WAY}, document as (
      update knowledge_documents d set status = 'failed', error = $6, passages = 0, space = null,
        updated_at = clock_timestamp()
      from owned where d.id = owned.id returning d.id
    ), ${DONE},
    gone as (
      delete from passages p using document where p.document_id = document.id
    )
    select id from document`,
});

/** Ends an attempt with an error and deletes its stored data. */
export async function failIngest(db: Database, job: IngestExecution, reason: string): Promise<void> {
  await change(db, job, FAIL, [reason]);
}

function change<Row extends object = object>(
  db: Database,
  { workspaceId, documentId, attempt, owner: { jobId, executorId, fence } }: IngestExecution,
  statement: StatementOf<Row>,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return db
    .inWorkspace(serviceIn(workspaceId))
    .query<Row>(statement, [documentId, attempt, jobId, executorId, fence, ...values]);
}
