import { setTimeout as sleep } from "node:timers/promises";
import {
  beginIngest,
  failIngest,
  finishIngest,
  indexPendingKeywords,
  readUnembedded,
  recordStored,
  storePassages,
  storeVectors,
} from "#db/queries/knowledge/ingest.ts";
import { MAX_SUSPICION } from "#db/queries/queue/executors.ts";
import type { BegunIngest, IngestExecution, UnembeddedPassage } from "#db/queries/knowledge/ingest.ts";
import { spaceOf } from "#domain/models/embedding.ts";
import type { EmbeddingModel, Embeddings } from "#domain/models/embedding.ts";
import type { IngestJob } from "#domain/knowledge/ingest-job.ts";
import { ModelError } from "#domain/models/model-call.ts";
import { WORKSPACE_ONLY } from "#domain/models/billing-target.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import { BlobMissingError, BlobStoreError } from "#lib/blobs/blob-store.ts";
import { extractPassages } from "#lib/extraction/extract-passages.ts";
import { ExtractionError } from "#lib/extraction/limits.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { defineJobKind } from "./define-job-kind.ts";
import { HandedOverError, OwnershipLostError } from "../queue/ownership.ts";
import { readContent } from "../run/file-contents.ts";
import type { EngineServices } from "../run/run-context.ts";
import { retryPause } from "../models/retry-pause.ts";
import { RunFailure } from "../run/run-failure.ts";

/** Passages stored by one statement. */
const STORED_AT_ONCE = 1_000;
/** Concurrent statements: PostgreSQL parses the text, each statement in its own backend. */
const STORED_IN_PARALLEL = 2;
/** Passages embedded per request; a crash repeats and pays again for at most this many. */
const EMBEDDED_AT_ONCE = 64;
/** The length of a document's warning, in characters. */
const MAX_WARNING = 2_000;
/** The progress at which reading ends and embedding begins, in percent. */
const READ = 40;

/** An execution that ingests a document. */
interface Reading extends IngestExecution {
  /** Aborts when the job is cancelled or the process closes; another process then continues. */
  readonly signal: AbortSignal;
}

/** The document was deleted or restarted. */
class SupersededError extends OwnershipLostError {
  override readonly name = "SupersededError";
}

/**
 * Ingests a document: stores its passages, then embeds them in batches. The stored passages are its journal: a later
 * execution continues after the last batch, so no passage is stored, embedded or paid for twice.
 */
export default defineJobKind<IngestJob>({
  name: "ingest",
  async run(engine, { job, signal }) {
    const { db, closing, log } = engine;
    const reading = { ...job.input, owner: job, signal: AbortSignal.any([signal, closing]) };
    try {
      const begun = await beginIngest(db, reading);
      if (begun === undefined) return await engine.discard(job);
      if (job.suspicion >= MAX_SUSPICION) throw new ExtractionError("Reading it has ended the service several times.");
      const { count, warnings } = await storeText(engine, reading, begun);
      const unembedded = await embed(engine, reading, { begun, count });
      await finishIngest(db, reading, warningOf([...warnings, ...unembedded]));
    } catch (error) {
      if (closing.aborted) throw new HandedOverError();
      if (signal.aborted || error instanceof OwnershipLostError)
        throw new OwnershipLostError("The document is read elsewhere, or gone.");
      if (!(error instanceof ExtractionError) || error.cause instanceof BlobStoreError) {
        log.error({ err: error, documentId: job.subjectId }, "could not read a document");
      }
      const reason =
        error instanceof ExtractionError ? error.message : "It could not be read because of an internal error.";
      await failIngest(db, reading, reason);
    }
  },
});

/** One text of all warnings; null without any. */
function warningOf(warnings: readonly string[]): string | null {
  return warnings.length === 0 ? null : warnings.join("\n").slice(0, MAX_WARNING).toWellFormed();
}

interface StoredText {
  /** The number of passages. */
  readonly count: number;
  readonly warnings: readonly string[];
}

async function storeText(services: EngineServices, job: Reading, begun: BegunIngest): Promise<StoredText> {
  const { db, extraction } = services;
  const { signal } = job;
  const content = await original(services, begun, signal);
  const { passages, warnings } = await extractPassages(content, { format: begun.format, limits: extraction, signal });
  for (let stored = begun.stored; stored < passages.length;) {
    signal.throwIfAborted();
    const firsts = Array.from({ length: STORED_IN_PARALLEL }, (_, n) => stored + n * STORED_AT_ONCE);
    const batches = firsts.map((first) => ({ first, passages: passages.slice(first, first + STORED_AT_ONCE) }));
    const full = batches.filter((batch) => batch.passages.length > 0);
    await allSettledOrThrow(full.map((batch) => whileInProgress(() => storePassages(db, job, batch))));
    stored = Math.min(stored + STORED_IN_PARALLEL * STORED_AT_ONCE, passages.length);
    const percent = Math.floor((READ * stored) / passages.length);
    await whileInProgress(() => recordStored(db, job, { stored, percent }));
  }
  await indexPendingKeywords(db);
  return { count: passages.length, warnings };
}

async function original(services: EngineServices, { blobKey }: BegunIngest, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readContent(services, blobKey, signal);
  } catch (error) {
    if (!(error instanceof BlobStoreError)) throw error;
    const isGone = error instanceof BlobMissingError;
    const advice = isGone ? "is gone. Delete it and upload it again." : "could not be fetched. Process it again later.";
    throw new ExtractionError(`Its original ${advice}`, { cause: error });
  }
}

/** Embeds the remaining passages; returns warnings when that is impossible: full-text search still finds them. */
async function embed(
  services: EngineServices,
  job: Reading,
  { begun, count }: { readonly begun: BegunIngest; readonly count: number },
): Promise<readonly string[]> {
  const { db, embedder } = services;
  const model = await embedder.modelFor(job.workspaceId, begun.embeddingModel);
  if (model === undefined) return [];
  try {
    for (let from = 0; ;) {
      job.signal.throwIfAborted();
      const batch = await readUnembedded(db, job, { from, limit: EMBEDDED_AT_ONCE });
      const last = batch.at(-1);
      if (last === undefined) return [];
      from = last.position + 1;
      const progress = READ + Math.floor(((99 - READ) * from) / count);
      await embedBatch(services, job, { model, batch, progress });
    }
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof RunFailure)) throw error;
    return [`Full-text search only: ${model.provider}/${model.model} did not embed it: ${error.message}`];
  }
}

interface EmbeddingBatch {
  readonly model: EmbeddingModel;
  readonly batch: readonly UnembeddedPassage[];
  readonly progress: number;
}

async function embedBatch(services: EngineServices, job: Reading, { model, batch, progress }: EmbeddingBatch) {
  const texts = batch.map(({ text }) => text);
  const payer = {
    workspaceId: job.workspaceId,
    runId: job.documentId,
    attempt: job.attempt,
    step: `passages:${batch[0]?.position}`,
    chargedTo: WORKSPACE_ONLY,
  };
  const { vectors } = await embedWithRetries(services, job, payer, { model, texts });
  const space = spaceOf(model, vectors[0]?.length ?? 0);
  const ids = batch.map(({ id }) => id);
  await whileInProgress(() => storeVectors(services.db, job, { space, ids, vectors, progress }));
}

async function embedWithRetries(
  { embedder, limits }: EngineServices,
  { signal }: Reading,
  payer: BillingTarget,
  request: { readonly model: EmbeddingModel; readonly texts: readonly string[] },
): Promise<Embeddings> {
  for (let attempt = 1; ; attempt++) {
    const limit = startTimeLimit(limits.modelTimeoutMs, signal);
    try {
      return await embedder.embedPassages(payer, { ...request, signal: limit.signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isTransient || attempt >= limits.modelAttempts) throw error;
      await sleep(retryPause(attempt, error), undefined, { signal });
    } finally {
      limit.clear();
    }
  }
}

async function whileInProgress(write: () => Promise<boolean>): Promise<void> {
  if (!(await write())) throw new SupersededError("The document was deleted or restarted.");
}
