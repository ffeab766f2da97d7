import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

// The lock on the log's head prevents its deletion; the owner may still write to a newer attempt. The marks of turns and
// tool calls without a result stay as rows with their keys: they are all that is recorded of what was stopped.
const PACK = statement({
  name: "pack-attempt",
  text: `
    with log as (
      select u.log_id, u.attempt, s.workspace_id, case when s.closed then s.last_seq else s.first_seq - 1 end as until
      from unpacked_attempts u join task_streams s on s.log_id = u.log_id
      limit 1 for update of u skip locked for key share of s skip locked
    ),
    loose as (
      select e.seq, e.attempt, e.event, e.created_at, e.seq - row_number() over (order by e.seq) as island,
        sum(octet_length(e.event::text)) over (order by e.seq) / $2::integer as page
      from (
        select e.seq, e.attempt, e.event, e.created_at from log
        join task_events e on e.log_id = log.log_id and e.seq <= log.until
        where e.key is null or case e.event->>'type'
          when 'STEP_STARTED' then exists (
            select from task_events o where o.log_id = e.log_id and o.attempt = e.attempt
              and o.key = left(e.key, -length('started')) || 'finished' and o.event->>'code' is null)
          when 'STEP_FINISHED' then e.event->>'code' is null
          when 'TOOL_CALL_START' then exists (
            select from task_events o where o.log_id = e.log_id and o.attempt = e.attempt
              and o.key = left(e.key, -length('start')) || 'end')
          else true end
        order by e.seq limit $1
      ) e
    ),
    stored as (
      insert into task_event_pages (log_id, first_seq, last_seq, workspace_id, attempt, events, created_at)
      select log.log_id, min(l.seq), max(l.seq), log.workspace_id, l.attempt, array_agg(l.event order by l.seq),
        max(l.created_at)
      from log cross join loose l group by log.log_id, log.workspace_id, l.attempt, l.page, l.island
    ),
    removed as (
      delete from task_events e using log
      where e.log_id = log.log_id
        and e.seq between (select min(seq) from loose) and (select max(seq) from loose)
        and e.seq in (select seq from loose)
    ),
    finished as (
      delete from unpacked_attempts u using log
      where u.log_id = log.log_id and u.attempt = log.attempt and (select count(*) from loose) < $1
    )
    select log_id from log`,
});

/** The maximum packed by one statement, and the length of a page, in bytes of event JSON. */
export interface PackLimits {
  readonly events: number;
  readonly pageBytes: number;
}

/**
 * Packs one closed attempt, or the next part of a long one: moves its events into pages, in one statement. Safe to run
 * concurrently. Returns false when no attempt is pending.
 */
export async function packAttempt(db: Database, { events, pageBytes }: PackLimits): Promise<boolean> {
  return (await db.query(PACK, [events, pageBytes])).length > 0;
}

const DELETE_PAGES = statement({
  name: "delete-old-event-pages",
  text: `
    delete from task_event_pages p using (
      select o.log_id, o.last_seq from task_event_pages o where o.created_at < $1 limit $2
    ) old
    where p.log_id = old.log_id and p.last_seq = old.last_seq
    returning p.last_seq`,
});

/** Deletes up to `limit` pages whose events are all older than a time; returns the number. */
export async function deleteOldPages(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_PAGES, [before, limit])).length;
}
