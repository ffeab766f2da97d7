import type { Database } from "#db/database.ts";
import { appendEvents } from "#db/queries/task-events.ts";
import type { AppendRow, LoggedEvent } from "#db/queries/task-events.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { createBatcher } from "#lib/batcher.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/event-bus.ts";

const WRITE_INTERVAL_MS = 2;
const MAX_BATCH = 2_000;

/** This execution no longer owns the task: it was cancelled, or another execution took it over. */
export class OwnershipLost extends Error {
  override readonly name = "OwnershipLost";
}

/** Appends the events of all runs in this process to their logs, many in one statement. */
export interface EventWriter {
  /**
   * Appends an event. Readers get it only when it is stored, so that none ever sees an event
   * that a crash could take back.
   * @throws OwnershipLost when the execution may not write to this log any more.
   */
  append(row: AppendRow): Promise<void>;
}

/** Makes the process's writer. */
export function createEventWriter(db: Database, bus: EventBus): EventWriter {
  const append = createBatcher({ intervalMs: WRITE_INTERVAL_MS, maxBatch: MAX_BATCH, write });

  async function write(rows: readonly AppendRow[]): Promise<readonly { readonly kept: boolean }[]> {
    const batchId = newId();
    const appended = await retryOutage(() => appendEvents(db, batchId, rows));
    const stored = new Map<string, LoggedEvent[]>();
    rows.forEach(({ taskId, text }, index) => {
      const seq = appended[index]?.seq ?? null;
      if (seq === null) return;
      const events = stored.get(taskId) ?? [];
      stored.set(taskId, events);
      events.push({ seq, text, final: false });
    });
    for (const [taskId, events] of stored) bus.publish(taskId, events);
    return appended.map(({ seq, owned }) => ({ kept: seq !== null || owned }));
  }

  return {
    async append(row) {
      const { kept } = await append(row);
      if (!kept) throw new OwnershipLost(`Task ${row.taskId} has another owner.`);
    },
  };
}
