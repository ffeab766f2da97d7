import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

/** What to search for: an order, and conditions for the events `e` and for the numbers of those found. */
interface Asks {
  readonly order: "asc" | "desc";
  readonly isOne: string;
  readonly where?: string;
}

// Client tools ask questions, too: an agent's run without any has no such event.
const ASKS = ({ order, isOne, where = "true" }: Asks) => `
  select asks.seq, asks.event::text as text
  from (
    select coalesce($2, s.first_seq - 1) as after from task_streams s join runs r on r.id = s.log_id
    where s.log_id = $1 and r.segment > 0
  ) start
  cross join lateral (
    select e.seq, e.event from task_events e
    where e.log_id = $1 and e.seq > start.after and ${isOne}
    union all
    select p.first_seq + e.n::integer - 1, e.event
    from task_event_pages p cross join unnest(p.events) with ordinality as e (event, n)
    where p.log_id = $1 and p.last_seq > start.after and p.first_seq + e.n - 1 > start.after and ${isOne}
  ) asks
  where ${where}
  order by asks.seq ${order} limit 1`;

const ANY = "e.event->>'type' = 'INTERACTION_REQUEST'";

const FIRST = statement({ name: "first-question-of-reply", text: ASKS({ order: "asc", isOne: ANY }) });
const BEFORE = statement({
  name: "question-of-reply-before",
  text: ASKS({ order: "desc", isOne: ANY, where: "asks.seq < $3" }),
});
const LATEST = statement({
  name: "latest-client-calls",
  text: ASKS({ order: "desc", isOne: "e.event->'clientCalls' is not null" }),
});

/** An event that asks a client to execute its tools, or a person, as JSON text. */
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

/** The first event in a part of a log that asks its client to execute tools, or asks a person. */
export async function findFirstAsking(db: WorkspaceDatabase, part: LogPart): Promise<AskingEvent | undefined> {
  const [row] = await db.query<AskingEvent>(FIRST, valuesOf(part));
  return row;
}

/** The latest such event of the current attempt before another event. */
export async function findAskingBefore(
  db: WorkspaceDatabase,
  { taskId, seq }: { readonly taskId: string; readonly seq: number },
): Promise<AskingEvent | undefined> {
  const [row] = await db.query<AskingEvent>(BEFORE, [taskId, null, seq]);
  return row;
}

/** The latest event that asks its client to execute tools. */
export async function findLatestAsking(db: WorkspaceDatabase, part: LogPart): Promise<AskingEvent | undefined> {
  const [row] = await db.query<AskingEvent>(LATEST, valuesOf(part));
  return row;
}

function valuesOf({ taskId, after }: LogPart): readonly unknown[] {
  return [taskId, after ?? null];
}
