import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

// The life of a log beside its execution: it begins with the run, opens for another attempt, and is closed when the run
// ends from outside.

const BEGIN = statement({
  name: "begin-log",
  text: `
    insert into task_streams (log_id, workspace_id, attempt, last_seq)
    select id, workspace_id, attempt, case status when 'running' then 1 else 0 end from runs where id = $1`,
});

// A separate statement, because row-level security allows an event only if its stream is visible.
const OPENING = statement({
  name: "write-opening-event",
  text: `
    insert into task_events (log_id, seq, workspace_id, attempt, event)
    select log_id, last_seq, workspace_id, attempt, $2 from task_streams where log_id = $1 and last_seq > 0`,
});

/**
 * Begins the log of a run that was just inserted.
 * @param opening the log's first event, as JSON, if the run may have been inserted as running
 */
export async function beginLog(tx: Transaction, runId: string, opening?: string): Promise<void> {
  await allSettledOrThrow([
    tx.query(BEGIN, [runId]),
    opening === undefined ? undefined : tx.query(OPENING, [runId, opening]),
  ]);
}

const OPEN = statement({
  name: "open-log",
  text: `
    insert into task_streams as s (log_id, workspace_id, attempt)
    select id, workspace_id, attempt from runs where id = $1
    on conflict (log_id) do update set attempt = excluded.attempt, first_seq = s.last_seq + 1, closed = false`,
});

/** Opens the log of a run's current attempt. */
export async function openLog(tx: Transaction, runId: string): Promise<void> {
  await tx.query(OPEN, [runId]);
}

const APPEND = statement({
  name: "append-to-open-log",
  text: `
    with events as (
      select e.event, e.n from rows from (json_to_recordset($2::json) as (event json)) with ordinality as e (event, n)
    ),
    head as (
      update task_streams set closed = $3, last_seq = last_seq + (select count(*)::integer from events)
      where log_id = $1 and not closed
      returning log_id, workspace_id, attempt, last_seq - (select count(*)::integer from events) as before
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select h.log_id, h.before + e.n, h.workspace_id, h.attempt, e.event from head h, events e
      returning log_id, seq
    )
    select announce_events(log_id, max(seq)) from stored group by log_id`,
});

const arrayOf = (events: readonly string[]) => `[${events.map((event) => `{"event":${event}}`).join(",")}]`;

/** Appends events (JSON texts) to the log of a waiting run whose row the caller has locked. */
export async function appendWhileWaiting(tx: Transaction, logId: string, events: readonly string[]): Promise<void> {
  await tx.query(APPEND, [logId, arrayOf(events), false]);
}

/** Ends a log with these events (JSON texts); has no effect if it has ended or was never opened. */
export async function closeLog(tx: Transaction, logId: string, events: readonly string[]): Promise<void> {
  await tx.query(APPEND, [logId, arrayOf(events), true]);
}
