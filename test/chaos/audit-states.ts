import { TASK_TRANSITIONS } from "#domain/tasks/task-status.ts";
import { RUN_TRANSITIONS } from "#domain/teams/team-run.ts";
import { eventually } from "../support/eventually.ts";
import { sql } from "../support/workspace.ts";
import type { DoneJob } from "./job.ts";

const REST_MS = 20_000;

/** Has the database write down every change of a state, from now on. */
export async function recordStates(databaseUrl: string): Promise<void> {
  await sql(databaseUrl, "create table chaos_states (n bigserial, kind text, id uuid, was text, became text)");
  await sql(
    databaseUrl,
    `create function chaos_note_state() returns trigger language plpgsql security definer as $$
     begin
       insert into public.chaos_states (kind, id, was, became) values (old.kind, old.id, old.status, new.status);
       return null;
     end $$`,
  );
  await sql(
    databaseUrl,
    `create trigger chaos_note_state after update of status on runs for each row
     when (old.status is distinct from new.status) execute function chaos_note_state()`,
  );
}

/** Says which states changed as they may not, and what of the work is unfinished, doubled, or ended as it should not. */
export async function auditStates(databaseUrl: string, jobs: readonly DoneJob[]): Promise<readonly string[]> {
  return [
    ...(await illegalChanges(databaseUrl)),
    ...(await unfinished(databaseUrl)),
    ...(await doubled(databaseUrl, jobs)),
    ...(await runAgain(databaseUrl)),
    ...jobs.flatMap(findWrongEnd),
  ];
}

async function illegalChanges(databaseUrl: string): Promise<string[]> {
  const changes = await sql<{ kind: string; id: string; was: string; became: string }>(
    databaseUrl,
    "select kind, id, was, became from chaos_states order by n",
  );
  const allowed = new Map<string, Readonly<Record<string, readonly string[]>>>([
    ["task", TASK_TRANSITIONS],
    ["team_run", RUN_TRANSITIONS],
  ]);
  // Nothing is run again here: what has ended stays as it is.
  const isFinal = (state: string) => ["completed", "failed", "cancelled"].includes(state);
  return changes
    .filter(({ kind, was, became }) => isFinal(was) || allowed.get(kind)?.[was]?.includes(became) !== true)
    .map(({ kind, id, was, became }) => `${kind} ${id} went from ${was} to ${became}`);
}

const UNFINISHED = `
  select kind || ' ' || id || ' is ' || status || ', its jobs ' || coalesce((
    select string_agg(concat_ws(' ', j.kind, j.id, j.state, j.attempt), '; ') from jobs j where j.subject_id = w.id), 'none') as what
  from runs w where status not in ('completed', 'failed', 'cancelled')
  union all
  select 'log ' || log_id || ' is open' from task_streams where not closed
  union all
  select 'question of ' || subject_id || ' is open' from task_questions
  union all
  select concat_ws(' ', 'job', id, 'is', state, 'execution', fence, 'crashes', crash_count, 'suspicion', suspicion,
    'due', run_at, 'of', executor_id) from jobs
  union all
  select concat_ws(' ', 'process', pid, id, 'beat', beat, 'at', beat_at, 'parent', parent_id) from executors
  where exists (select from jobs)`;

/** What has not ended within the time limit. */
async function unfinished(databaseUrl: string): Promise<string[]> {
  const look = async () => (await sql<{ what: string }>(databaseUrl, UNFINISHED)).map(({ what }) => what);
  const isOver = async () => (await look()).length === 0;
  return eventually("all work is over", isOver, REST_MS).then(() => [], look);
}

async function doubled(databaseUrl: string, jobs: readonly DoneJob[]): Promise<string[]> {
  const rows = await sql<{ title: string; count: number }>(
    databaseUrl,
    `select title, count(*)::integer as count from (
       select title from tasks
       union all
       select regexp_replace(input_task, '^Task Title: ', '') from team_runs where task_id is null
     ) work group by title`,
  );
  const counts = new Map(rows.map(({ title, count }) => [title, count]));
  const missing = jobs.filter(({ order }) => !counts.has(order.title)).map(({ order }) => `${order.title} was lost`);
  return [...missing, ...rows.filter(({ count }) => count > 1).map(({ title }) => `${title} exists more than once`)];
}

/** The tasks that a repeated message has run again. */
async function runAgain(databaseUrl: string): Promise<string[]> {
  const rows = await sql<{ title: string }>(databaseUrl, "select title from tasks where attempt > 1");
  return rows.map(({ title }) => `${title} was run again`);
}

function findWrongEnd({ order, end, cancel }: DoneJob): string[] {
  const { status, error, result, output } = end;
  const isRight = () => {
    // A run whose process happens to be killed three times in the same step fails.
    if (error?.startsWith("crash_loop") === true) return cancel !== "confirmed";
    if (cancel === "confirmed" || status === "cancelled") return status === "cancelled" && cancel !== "never";
    if (order.kind === "refused") return error?.includes("Not with me.") === true;
    return status === "completed" && /#\d+#/.test(result ?? output ?? "");
  };
  return isRight() ? [] : [`${order.title} (${end.id}) is ${status}, its error ${error}; cancelling it: ${cancel}`];
}
