import { readUnembeddedMemories, storeMemoryVectors } from "#db/queries/teams/memory-passages.ts";
import type { TeamKey } from "#db/queries/teams/memory-passages.ts";
import { spaceOf } from "#domain/models/embedding.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { EngineServices } from "../../run/run-context.ts";
import { RunFailure } from "../../run/run-failure.ts";

/** How many memories are embedded by one request, newest first. */
const BATCH = 32;
/** How long a run waits for the vectors, in milliseconds. */
const TIMEOUT_MS = 5_000;

/**
 * Embeds one batch of a team's memories that have no vector yet. Never throws: full-text search still finds them, and
 * the team's next run tries again.
 */
export async function embedMemories(
  { db, embedder, log }: Pick<EngineServices, "db" | "embedder" | "log">,
  team: TeamKey,
  { payer, signal }: { readonly payer: BillingTarget; readonly signal: AbortSignal },
): Promise<void> {
  const limit = startTimeLimit(TIMEOUT_MS, signal);
  try {
    const model = await embedder.modelFor(team.workspaceId, null);
    if (model === undefined) return;
    const batch = await readUnembeddedMemories(db, team, BATCH);
    if (batch.length === 0) return;
    const texts = batch.map(({ text }) => text);
    const { vectors } = await embedder.embedPassages(payer, { model, texts, signal: limit.signal });
    const space = spaceOf(model, vectors[0]?.length ?? 0);
    const ids = batch.map(({ id }) => id);
    await storeMemoryVectors(db, team, { space, ids, vectors });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError || error instanceof RunFailure)) throw error;
    log.warn({ ...team, err: error }, "could not embed what a team remembers; it is found by its words");
  } finally {
    limit.clear();
  }
}
