import type { Tenant } from "#domain/access/role.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const ASKS = (order: "asc" | "desc") => `
  select asks.seq, asks.event::text as text
  from (
    select coalesce($2, s.first_seq - 1) as after from task_streams s join tasks t on t.id = s.log_id
    where s.log_id = $1 and t.client_tools is not null
  ) start
  cross join lateral (
    select e.seq, e.event from task_events e
    where e.log_id = $1 and e.seq > start.after and e.event->'clientCalls' is not null
    union all
    select p.first_seq + e.n::integer - 1, e.event
    from task_event_pages p cross join unnest(p.events) with ordinality as e (event, n)
    where p.log_id = $1 and p.last_seq > start.after and p.first_seq + e.n - 1 > start.after and e.event->'clientCalls' is not null
  ) asks
  order by asks.seq ${order} limit 1`;

const FIRST = statement({ name: "first-client-calls", text: ASKS("asc") });
const LATEST = statement({ name: "latest-client-calls", text: ASKS("desc") });

/** An event that asks a client to execute its tools, as JSON text. */
export interface AskingEvent {
  readonly seq: number;
  readonly text: string;
}

/** The part of a log to search. */
export interface LogPart {
  readonly taskId: string;
  /** Only events with a greater number; absent for those of the current attempt. */
  readonly after?: number | undefined;
}

/** The first event in a part of a log that asks its client to execute tools. */
export async function findFirstAsking(db: Database, tenant: Tenant, part: LogPart): Promise<AskingEvent | undefined> {
  const [row] = await db.queryInWorkspace<AskingEvent>(tenant, FIRST, valuesOf(part));
  return row;
}

/** The latest such event. */
export async function findLatestAsking(db: Database, tenant: Tenant, part: LogPart): Promise<AskingEvent | undefined> {
  const [row] = await db.queryInWorkspace<AskingEvent>(tenant, LATEST, valuesOf(part));
  return row;
}

function valuesOf({ taskId, after }: LogPart): readonly unknown[] {
  return [taskId, after ?? null];
}

const USAGE = statement({
  name: "usage-of-model-calls",
  text: `
    select coalesce(sum(u.prompt_tokens), 0)::integer as prompt_tokens,
      coalesce(sum(u.completion_tokens), 0)::integer as completion_tokens,
      coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::integer as total_tokens,
      coalesce(sum(u.cached_tokens), 0)::integer as cached_tokens,
      coalesce(sum(u.reasoning_tokens), 0)::integer as reasoning_tokens
    from tasks t join usage_records u on u.task_id = t.id and u.attempt = t.attempt
    where t.id = $1 and u.step >= $2 and u.step < coalesce($3, u.step + 1)`,
});

/** The tokens of some model calls. */
export interface TokenSums {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/** The usage of model calls of a task's current attempt, from one number (from 0) to before another. */
export async function sumModelCalls(
  db: Database,
  tenant: Tenant,
  { taskId, from, to }: { readonly taskId: string; readonly from: number; readonly to: number | undefined },
): Promise<TokenSums> {
  const rows = await db.queryInWorkspace<TokenSums>(tenant, USAGE, [taskId, from, to ?? null]);
  return rows[0] ?? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 };
}
