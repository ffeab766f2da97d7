import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import {
  beginIngest,
  failIngest,
  finishIngest,
  handOverIngest,
  indexGatheredWords,
  readUnembedded,
  recordStored,
  storePassages,
  storeVectors,
} from "#db/queries/ingest.ts";
import type { BegunIngest, UnembeddedPassage } from "#db/queries/ingest.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { spaceOf } from "#domain/embedding.ts";
import type { EmbeddingModel, Embeddings } from "#domain/embedding.ts";
import type { IngestJob } from "#domain/ingest-job.ts";
import { ModelError } from "#domain/model-call.ts";
import { NOBODY } from "#domain/payer.ts";
import type { Payer } from "#domain/payer.ts";
import { BlobMissing, BlobStoreError } from "#lib/blob-store.ts";
import type { BlobStore } from "#lib/blob-store.ts";
import { extractPassages } from "#lib/extraction/extract-passages.ts";
import { ExtractionError } from "#lib/extraction/limits.ts";
import type { ExtractionLimits } from "#lib/extraction/limits.ts";
import { settle } from "#lib/settle.ts";
import { startTimeLimit } from "#lib/time-limit.ts";
import type { Embedder } from "./embedder.ts";
import { retryPause } from "./retry-pause.ts";
import { RunFailure } from "./run-failure.ts";

/** Passages that one statement stores. */
const STORED_AT_ONCE = 1_000;
/** Such statements at a time: PostgreSQL takes the text apart, and does one in a process of its own. */
const STORED_IN_PARALLEL = 2;
/** Passages that are embedded at a time: what a crash may cost to pay for again. */
const EMBEDDED_AT_ONCE = 64;
/** Executions of an attempt that get nothing done before it is given up. */
const MOST_EXECUTIONS = 3;
/** Where reading ends and embedding begins, in percent. */
const READ = 40;

/** What reading documents needs. */
export interface IngestServices {
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly embedder: Embedder;
  readonly extraction: ExtractionLimits;
  readonly modelAttempts: number;
  readonly modelTimeoutMs: number;
  /** Fires when the process closes: another one then goes on. */
  readonly closing: AbortSignal;
  readonly log: Logger;
}

/** Somebody has deleted or restarted the document meanwhile. */
class Superseded extends Error {
  override readonly name = "Superseded";
}

/**
 * The workflow of an attempt to read a document: its passages are stored, then embedded, batch by batch. It is run
 * again from the top when another process takes it over. What it has stored is its journal: it goes on behind the
 * last batch, so that no passage is doubled, and none is embedded, and paid for, twice.
 */
export async function ingestDocument(services: IngestServices, job: IngestJob): Promise<void> {
  const { db, closing, log } = services;
  try {
    const begun = await retryOutage(() => beginIngest(db, job));
    if (begun === undefined) return;
    if (begun.executions > MOST_EXECUTIONS)
      throw new ExtractionError("Reading it has ended the service several times.");
    const count = await storeText(services, job, begun);
    const warning = await embed(services, job, { begun, count });
    await retryOutage(() => finishIngest(db, job, warning ?? null));
  } catch (error) {
    if (closing.aborted) {
      await handOverIngest(db, job).catch((fault: unknown) => log.warn({ err: fault, ...job }, "could not hand over"));
      // The workflow must not end here, or nobody would take it.
      return new Promise(() => {});
    }
    if (error instanceof Superseded) return;
    if (!(error instanceof ExtractionError) || error.cause instanceof BlobStoreError) {
      log.error({ err: error, ...job }, "could not read a document");
    }
    const reason = error instanceof ExtractionError ? error.message : "It could not be read by a fault of the service.";
    await retryOutage(() => failIngest(db, job, reason));
  }
}

async function storeText(services: IngestServices, job: IngestJob, begun: BegunIngest): Promise<number> {
  const { db, closing, extraction } = services;
  const content = await original(services, begun);
  const passages = await extractPassages(content, { format: begun.format, limits: extraction, signal: closing });
  for (let stored = begun.stored; stored < passages.length;) {
    closing.throwIfAborted();
    const firsts = Array.from({ length: STORED_IN_PARALLEL }, (_, n) => stored + n * STORED_AT_ONCE);
    const batches = firsts.map((first) => ({ first, passages: passages.slice(first, first + STORED_AT_ONCE) }));
    const full = batches.filter((batch) => batch.passages.length > 0);
    await settle(full.map((batch) => whileUnderWay(() => storePassages(db, job, batch))));
    stored = Math.min(stored + STORED_IN_PARALLEL * STORED_AT_ONCE, passages.length);
    const percent = Math.floor((READ * stored) / passages.length);
    await whileUnderWay(() => recordStored(db, job, { stored, percent }));
  }
  await retryOutage(() => indexGatheredWords(db));
  return passages.length;
}

async function original({ blobs }: IngestServices, { blobKey }: BegunIngest): Promise<Uint8Array> {
  try {
    return await blobs.get(blobKey);
  } catch (error) {
    if (!(error instanceof BlobStoreError)) throw error;
    const isGone = error instanceof BlobMissing;
    const advice = isGone ? "is gone. Delete it and upload it again." : "could not be fetched. Process it again later.";
    throw new ExtractionError(`Its original ${advice}`, { cause: error });
  }
}

/** Embeds what is not yet embedded; gives a warning when that cannot be done: words still find it. */
async function embed(
  services: IngestServices,
  job: IngestJob,
  { begun, count }: { readonly begun: BegunIngest; readonly count: number },
): Promise<string | undefined> {
  const { db, closing, embedder } = services;
  const model = await embedder.modelFor(job.workspaceId, begun.embeddingModel);
  if (model === undefined) return undefined;
  try {
    for (let from = 0; ;) {
      closing.throwIfAborted();
      const batch = await retryOutage(() => readUnembedded(db, job, { from, limit: EMBEDDED_AT_ONCE }));
      const last = batch.at(-1);
      if (last === undefined) return undefined;
      from = last.position + 1;
      const progress = READ + Math.floor(((99 - READ) * from) / count);
      await embedBatch(services, job, { model, batch, progress });
    }
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof RunFailure)) throw error;
    return `It is found by its words only, since ${model.provider}/${model.model} did not embed it: ${error.message}`;
  }
}

interface EmbeddingBatch {
  readonly model: EmbeddingModel;
  readonly batch: readonly UnembeddedPassage[];
  readonly progress: number;
}

async function embedBatch(services: IngestServices, job: IngestJob, { model, batch, progress }: EmbeddingBatch) {
  const texts = batch.map(({ text }) => text);
  const payer = {
    workspaceId: job.workspaceId,
    runId: job.documentId,
    attempt: job.attempt,
    step: `passages:${batch[0]?.position}`,
    chargedTo: NOBODY,
  };
  const { vectors } = await askPatiently(services, payer, { model, texts });
  const space = spaceOf(model, vectors[0]?.length ?? 0);
  const ids = batch.map(({ id }) => id);
  await whileUnderWay(() => storeVectors(services.db, job, { space, ids, vectors, progress }));
}

async function askPatiently(
  { embedder, closing, modelAttempts, modelTimeoutMs }: IngestServices,
  payer: Payer,
  request: { readonly model: EmbeddingModel; readonly texts: readonly string[] },
): Promise<Embeddings> {
  for (let attempt = 1; ; attempt++) {
    const limit = startTimeLimit(modelTimeoutMs, closing);
    try {
      return await embedder.embedPassages(payer, { ...request, signal: limit.signal });
    } catch (error) {
      closing.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isTransient || attempt >= modelAttempts) throw error;
      await sleep(retryPause(attempt, error), undefined, { signal: closing });
    } finally {
      limit.clear();
    }
  }
}

async function whileUnderWay(write: () => Promise<boolean>): Promise<void> {
  if (!(await retryOutage(write))) throw new Superseded("The document was deleted or restarted.");
}
