import { setTimeout as sleep } from "node:timers/promises";
import { appendEvents } from "#db/queries/task-events.ts";
import type { AppendRow, LoggedEvent } from "#db/queries/task-events.ts";
import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { newId } from "#lib/ids.ts";
import type { EventBus } from "#operations/event-bus.ts";

/** Between the beginnings of two writes, in milliseconds: what arrives meanwhile shares the next one. */
const WRITE_INTERVAL_MS = 4;
/** Events of one write. */
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

interface Waiting {
  readonly row: AppendRow;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Makes the process's writer. */
export function createEventWriter(db: Database, bus: EventBus): EventWriter {
  let queue: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH);
      queue = queue.slice(MAX_BATCH);
      const pause = sleep(WRITE_INTERVAL_MS);
      await store(batch).catch((error: unknown) => {
        for (const waiting of batch) waiting.failed(error);
      });
      await pause;
    }
    writing = false;
  }

  async function store(batch: readonly Waiting[]): Promise<void> {
    const batchId = newId();
    const rows = batch.map((waiting) => waiting.row);
    const appended = await retryOutage(() => appendEvents(db, batchId, rows));
    const stored = new Map<string, LoggedEvent[]>();
    batch.forEach(({ row, done, failed }, index) => {
      const { seq, owned } = appended[index] ?? { seq: null, owned: false };
      if (seq !== null) {
        const events = stored.get(row.taskId) ?? [];
        stored.set(row.taskId, events);
        events.push({ seq, text: row.text, final: false });
      }
      if (seq !== null || owned) done();
      else failed(new OwnershipLost(`Task ${row.taskId} has another owner.`));
    });
    for (const [taskId, events] of stored) bus.publish(taskId, events);
  }

  return {
    append(row) {
      return new Promise((done, failed) => {
        queue.push({ row, done, failed });
        if (!writing) void write();
      });
    },
  };
}
