import type { SystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/batcher.ts";

const WRITE_INTERVAL_MS = 5;
const MAX_BATCH = 1_000;

/**
 * The engine library's own record of ends (dbos-sdk 5.3, `recordWorkflowOutput`), for many runs in one statement
 * instead of four statements for each. What a run gives stands in its task's row: the library's table of results stays empty.
 */
const RECORD = {
  name: "record-ends",
  text: `
    update dbos.workflow_status w set status = 'SUCCESS', owner_xid = null, deduplication_id = null,
      updated_at = extract(epoch from now()) * 1000, completed_at = extract(epoch from now()) * 1000
    from unnest($1::text[], $2::text[]) as ended (id, owner)
    where w.workflow_uuid = ended.id and w.owner_xid = ended.owner and w.status = 'PENDING'
    returning w.workflow_uuid as id`,
};

interface End {
  readonly runId: string;
  /** The claim under which it ran; it may record the end only as long as the run is its own. */
  readonly owner: string;
}

/**
 * Makes the library record the ends of runs that ended at the same time together.
 * @param recorded runs whose ends were recorded with those of their tasks; each is taken out when the library comes to it
 */
export function recordEndsTogether(
  library: SystemDatabase,
  { db, recorded: known }: { readonly db: Database; readonly recorded: Set<string> },
): void {
  const recordAlone = library.recordWorkflowOutput.bind(library);
  const record = createBatcher({
    intervalMs: WRITE_INTERVAL_MS,
    maxBatch: MAX_BATCH,
    async write(ends: readonly End[]) {
      const values = [ends.map(({ runId }) => runId), ends.map(({ owner }) => owner)];
      const recorded = await retryOutage(() => db.query<{ id: string }>(RECORD, values));
      const ids = new Set(recorded.map(({ id }) => id));
      return ends.map(({ runId }) => ids.has(runId));
    },
  });
  library.recordWorkflowOutput = async (runId, status, owner) => {
    if (known.delete(runId)) return true;
    return owner === undefined ? recordAlone(runId, status) : record({ runId, owner });
  };
}
