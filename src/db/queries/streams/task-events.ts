import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import type { OpenPart } from "#domain/streams/stream-event.ts";
import { OWNED_JOB, ownerColumns } from "../queue/job-owner.ts";
import type { JobOwner } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";
import type { LoggedEvent } from "#domain/streams/logged-event.ts";

/** An event to append. */
export interface AppendRow {
  /** The id of the log: the task's or team run's. */
  readonly subjectId: string;
  /** The execution that sends it; the event is dropped when the execution no longer owns the job. */
  readonly owner: JobOwner;
  /** An event with a key is appended once per attempt; see the table. */
  readonly key?: string;
  /** The event as JSON. */
  readonly text: string;
}

// Lateral look-ups instead of joins or EXISTS: each is one index look-up, where PostgreSQL could otherwise choose to
// hash the whole table. No join has the events on both sides, because a nested loop would read all of them for each of
// them: numbers are looked up in an object by log.
const appendOf = (known: string) => `
    with incoming as (
      select i.*, s.workspace_id, s.attempt,
        s.attempt is not null and s.last_batch is distinct from $5 and ${known === "" ? "true" : "known.seq is null"} as is_new
      from rows from (unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $6::text[], $7::json[]))
        with ordinality as i (log_id, job_id, executor_id, fence, key, event, n)
      left join lateral (${OWNED_JOB} for share) owned on true
      left join lateral (
        select s.workspace_id, s.attempt, s.last_batch from task_streams s
        where s.log_id = i.log_id and owned.attempt is not null and not s.closed limit 1
      ) s on true${known}
    ),
    heads as (
      update task_streams s set last_seq = s.last_seq + c.count, last_batch = $5
      from (select log_id, count(*)::integer as count from incoming where is_new group by 1 order by 1) c
      where s.log_id = c.log_id and not s.closed and s.last_batch is distinct from $5
      returning s.log_id, s.last_seq - c.count as before
    ),
    numbered as (
      select i.*, case when is_new then
        ((select jsonb_object_agg(log_id, before) from heads)->>log_id::text)::integer
          + count(*) filter (where is_new) over (partition by log_id order by n) end as seq
      from incoming i
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, key, event)
      select log_id, seq, workspace_id, attempt, key, event from numbered where seq is not null
    )
    select seq::integer as seq, attempt is not null as owned, is_new and seq is null as missed from numbered
    order by n`;

const APPEND = statement({
  name: "append-task-events",
  text: appendOf(`
      left join lateral (
        select e.seq from task_events e
        where e.log_id = i.log_id and e.attempt = s.attempt and e.key = i.key limit 1
      ) known on true`),
});
// Most batches have no event with a key: this one looks into no partition.
const APPEND_KEYLESS = statement({ name: "append-events-without-keys", text: appendOf("") });

/** The result of one event, in the order of the batch. */
export interface Appended {
  /** Its number in the log; null when it was not stored, or was stored before. */
  readonly seq: number | null;
  /** Whether its execution may write to the log. */
  readonly owned: boolean;
}

/**
 * Appends a batch of events to any logs. Numbers are assigned without gaps under the lock of the stream's row. A batch
 * is stored once per id, so it can be sent again after a connection error.
 *
 * @param on a transaction for the statement, which may send its COMMIT without waiting for the answer
 */
export async function appendEvents(
  db: Database,
  batchId: string,
  rows: readonly AppendRow[],
  on: Database | Transaction = db,
): Promise<Appended[]> {
  // In the lock order of all statements on jobs; events of one job keep their order.
  const order = rows.map((_, index) => index).toSorted((a, b) => compareJobs(rows[a], rows[b]) || a - b);
  const sorted = order.flatMap((index) => rows[index] ?? []);
  const stored = await appendSorted(db, batchId, sorted, on);
  const placed: Appended[] = [];
  order.forEach((index, place) => (placed[index] = stored[place] ?? { seq: null, owned: false }));
  return placed;
}

function compareJobs(a: AppendRow | undefined, b: AppendRow | undefined): number {
  const [one = "", other = ""] = [a?.owner.jobId, b?.owner.jobId];
  return Number(one > other) - Number(one < other);
}

async function appendSorted(
  db: Database,
  batchId: string,
  rows: readonly AppendRow[],
  on: Database | Transaction = db,
): Promise<Appended[]> {
  const appended = await on.query<Appended & { missed: boolean }>(
    rows.some(({ key }) => key !== undefined) ? APPEND : APPEND_KEYLESS,
    [
      rows.map(({ subjectId }) => subjectId),
      ...ownerColumns(rows.map(({ owner }) => owner)),
      batchId,
      rows.map(({ key }) => key ?? null),
      rows.map(({ text }) => text),
    ],
  );
  if (!appended.some(({ missed }) => missed)) return appended;
  // Either the log was closed between the statement's snapshot and its lock, or the same batch was being stored over a
  // broken connection: reading again shows which.
  const again = await appendSorted(db, batchId, rows);
  return appended.map((row, index) => (row.missed ? (again[index] ?? row) : row));
}

const READ = statement({
  name: "read-task-events",
  text: `
    select seq, event::text as text, event->>'type' in ('RUN_FINISHED', 'RUN_ERROR') as final from (
      (select e.seq, e.event from task_events e where e.log_id = $1 and e.seq > $2 order by e.seq limit $3)
      union all
      (select p.first_seq + e.n::integer - 1, e.event
        from task_event_pages p cross join unnest(p.events) with ordinality as e (event, n)
        where p.log_id = $1 and p.last_seq > $2 and p.first_seq + e.n - 1 > $2 order by p.last_seq, e.n limit $3)
    ) log order by seq limit $3`,
});

/** Reads a range of a log, in order. */
export function readEvents(
  db: WorkspaceDatabase,
  range: { readonly logId: string; readonly after: number; readonly limit: number },
): Promise<LoggedEvent[]> {
  return db.query<LoggedEvent>(READ, [range.logId, range.after, range.limit]);
}

const HEAD = statement({
  name: "read-stream-head",
  text: `select first_seq, last_seq, closed, attempt from task_streams where log_id = $1`,
});

/** The state of a log: the start of the current attempt, and whether it has ended. */
export interface StreamHead {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly closed: boolean;
}

/** The head of a log; undefined when the task was never dispatched. */
export async function readStreamHead(
  db: WorkspaceDatabase,
  logId: string,
): Promise<(StreamHead & { readonly attempt: number }) | undefined> {
  const [head] = await db.query<StreamHead & { readonly attempt: number }>(HEAD, [logId]);
  return head;
}

/** As {@link readStreamHead}, in a transaction. */
export async function readStreamHeadIn(tx: Transaction, logId: string): Promise<StreamHead | undefined> {
  const [head] = await tx.query<StreamHead>(HEAD, [logId]);
  return head;
}

const FIND_GROWN = statement({
  name: "find-grown-logs",
  text: `
    select distinct a.log_id as id from unnest($1::uuid[], $2::integer[]) as a (log_id, seq)
    left join lateral (
      select s.last_seq, s.closed from task_streams s where s.log_id = a.log_id limit 1
    ) s on true
    where s.last_seq is null or s.closed or s.last_seq >= a.seq`,
});

/**
 * Those among these logs that have an event with this number, have ended, or were deleted. The caller must check access
 * before reading on.
 */
export async function findGrownLogs(
  db: Database,
  awaited: readonly { readonly logId: string; readonly seq: number }[],
): Promise<readonly string[]> {
  const values = [awaited.map(({ logId }) => logId), awaited.map(({ seq }) => seq)];
  return (await db.query<{ id: string }>(FIND_GROWN, values)).map(({ id }) => id);
}

const FIND_ATTEMPT = statement({
  name: "find-attempt",
  text: `
    select min(first_seq) as first_seq, max(last_seq) as last_seq from (
      select min(seq) as first_seq, max(seq) as last_seq from task_events where log_id = $1 and attempt = $2
      union all
      select min(first_seq), max(last_seq) from task_event_pages where log_id = $1 and attempt = $2
    ) log having count(first_seq) > 0`,
});

/** The numbers of an attempt's first and last event; undefined when the log has none. */
export async function findAttempt(
  db: WorkspaceDatabase,
  { logId, attempt }: { readonly logId: string; readonly attempt: number },
): Promise<{ readonly first_seq: number; readonly last_seq: number } | undefined> {
  const values = [logId, attempt];
  const [row] = await db.query<{ first_seq: number; last_seq: number }>(FIND_ATTEMPT, values);
  return row;
}

const LOG_SIZE = statement({
  name: "read-log-size",
  text: `
    select count(*)::integer as events, coalesce(sum(octet_length(e.event::text)), 0)::double precision as bytes
    from task_streams s join task_events e on e.log_id = s.log_id and e.seq >= s.first_seq
    where s.log_id = $1`,
});

/** The number of events of a log's open attempt, and the bytes of their JSON. */
export async function readLogSize(
  db: Database,
  logId: string,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const [size] = await db.query<{ events: number; bytes: number }>(LOG_SIZE, [logId]);
  return size ?? { events: 0, bytes: 0 };
}

const FIND_RUN_STREAM = statement({
  name: "find-run-stream",
  text: `
    select s.first_seq, s.last_seq, s.closed, s.attempt from runs r join task_streams s on s.log_id = r.id
    where r.id = $1 and r.kind = 'team_run'`,
});

/** The head of a team run's log; undefined when the workspace has no such run. */
export async function findRunStream(
  db: WorkspaceDatabase,
  runId: string,
): Promise<(StreamHead & { readonly attempt: number }) | undefined> {
  const [row] = await db.query<StreamHead & { attempt: number }>(FIND_RUN_STREAM, [runId]);
  return row;
}

const OPEN_PARTS = statement({
  name: "read-open-parts",
  text: `
    with marks as (
      select e.seq,
        case when e.event->>'type' like 'TEXT%' then 'message'
          when e.event->>'type' like 'REASONING%' then 'reasoning' else 'tool' end as kind,
        coalesce(e.event->>'messageId', e.event->>'toolCallId') as id,
        e.event->>'type' like '%_START' as begins
      from task_streams s join task_events e on e.log_id = s.log_id and e.seq >= s.first_seq
      where s.log_id = $1 and e.event->>'type' in
        ('TEXT_MESSAGE_START', 'TEXT_MESSAGE_END', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_END',
          'TOOL_CALL_START', 'TOOL_CALL_END')
    )
    select kind, id from marks group by kind, id
    having count(*) filter (where begins) > count(*) filter (where not begins)
    order by min(seq)`,
});

/** Messages, reasoning and tool calls of the current attempt that were started and not ended. */
export function readOpenParts(db: Database | Transaction, logId: string): Promise<OpenPart[]> {
  return db.query<OpenPart>(OPEN_PARTS, [logId]);
}

const HAS_NO_EVENTS = statement({
  name: "has-no-events",
  text: `select 1 as empty from task_streams where log_id = $1 and not closed and last_seq < first_seq`,
});

/** Whether a log is open and its current attempt has no event yet. */
export async function hasNoEvents(tx: Transaction, logId: string): Promise<boolean> {
  return (await tx.query(HAS_NO_EVENTS, [logId])).length > 0;
}
