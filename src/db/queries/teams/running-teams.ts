import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { MessageType, RunStatus } from "#domain/teams/team-run.ts";
import type { Database, Transaction } from "../../database.ts";
import type { CreatedFile } from "../files/files.ts";
import { LEFT_JOB, OWNED_JOB, ownedSubject, recordExecutions } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

const START = statement({
  name: "start-team-run",
  text: `
    with ${ownedSubject("team_runs", { states: "$6", lock: "share" })},
    started as (
      update team_runs t set status = 'running', updated_at = clock_timestamp(),
        started_at = coalesce(t.started_at, clock_timestamp())
      from owned_job i where t.id = i.id
      returning t.id, clock_timestamp() - t.started_at - t.waited as age
    ),
    prior as (
      select s.log_id, s.last_seq < s.first_seq as fresh
      from task_streams s join started on s.log_id = started.id
      for update of s
    ),
    owned as (
      update task_streams s set last_seq = s.last_seq + case when p.fresh then 1 else 0 end
      from prior p where s.log_id = p.log_id
      returning s.log_id, s.workspace_id, s.attempt, s.last_seq, p.fresh
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select log_id, last_seq, workspace_id, attempt, $7 from owned where fresh
    )
    select fresh, last_seq, (extract(epoch from age) * 1000)::double precision as age_ms,
      (select true from budgets b where b.workspace_id = owned.workspace_id limit 1) as has_budgets
    from owned, started`,
});

/** The start of a team run's execution. */
export interface StartedTeamRun {
  /** Whether the log was empty, so that it now contains the given event. */
  readonly fresh: boolean;
  readonly last_seq: number;
  /** The age of the attempt, without its waits for answers, in milliseconds. */
  readonly age_ms: number;
  /** Whether its workspace has budgets; null when not. */
  readonly has_budgets: true | null;
}

/** Makes this execution the owner of the attempt and moves the run to `running`; undefined when it must not run. */
export async function startTeamRun(
  tx: Transaction,
  { subjectId: runId, attempt, jobId, executorId, fence }: JobKey,
  start: { readonly from: readonly RunStatus[]; readonly event: string },
): Promise<StartedTeamRun | undefined> {
  const values = [runId, attempt, jobId, executorId, fence, start.from, start.event];
  const [started] = await tx.query<StartedTeamRun>(START, values);
  return started;
}

const FINISH = statement({
  name: "finish-team-run",
  text: `
    with ${ownedSubject("team_runs", { states: "$9", lock: "update" })},
    ended as (
      update team_runs t set status = $6, output = $7, error = $8, finish_reason = $12, interaction = null,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      from owned_job i where t.id = i.id
      returning t.id, i.job_id
    ),
    done as (delete from jobs j using ended e where j.id = e.job_id returning ${LEFT_JOB}),
    execution as (${recordExecutions("done", "'finished'")}),
    last as (
      select l.event, l.n
      from rows from (json_to_recordset($10::json) as (event json)) with ordinality as l (event, n)
    ),
    closed as (
      update task_streams s set closed = true, last_seq = s.last_seq + (select count(*)::integer from last)
      from ended where s.log_id = ended.id
      returning s.log_id, s.workspace_id, s.attempt, s.last_seq - (select count(*)::integer from last) as before
    ),
    made as (
      insert into files (id, workspace_id, run_id, direction, attempt, name, type, size, blob_key)
      select f.id, c.workspace_id, c.log_id, 'output', c.attempt, f.name, f.type, f.size, f.blob_key
      from closed c, json_to_recordset($11::json) as f (id uuid, name text, type text, size integer, blob_key text)
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select c.log_id, c.before + l.n, c.workspace_id, c.attempt, l.event from closed c, last l
    )
    select before + 1 as first_seq from closed`,
});

/** The end of a team run. */
export interface TeamRunEnd {
  readonly status: "completed" | "failed";
  readonly output: string | null;
  readonly error: string | null;
  /** Why the last reply of a completed run ended. */
  readonly finishReason: FinishReason | null;
  /** The last events of its log, as JSON. */
  readonly events: readonly string[];
  /** Its output files if no task receives them; their contents are stored. */
  readonly files: readonly CreatedFile[];
}

/**
 * Ends a run with its log and output files; returns the number of the first final event, or undefined when this
 * execution no longer owns it or it was cancelled.
 */
export async function finishTeamRun(
  tx: Transaction,
  { subjectId: runId, attempt, jobId, executorId, fence }: JobKey,
  end: TeamRunEnd & { readonly from: readonly RunStatus[] },
): Promise<number | undefined> {
  const events = `[${end.events.map((event) => `{"event":${event}}`).join(",")}]`;
  const values = [
    runId,
    attempt,
    jobId,
    executorId,
    fence,
    end.status,
    end.output,
    end.error,
    end.from,
    events,
    JSON.stringify(end.files),
    end.finishReason,
  ];
  const [row] = await tx.query<{ first_seq: number }>(FINISH, values);
  return row?.first_seq;
}

const AT_STEP = statement({
  name: "team-run-at-step",
  text: `
    update team_runs t set current_step_idx = greatest(t.current_step_idx, $4), updated_at = clock_timestamp()
    from (values ($1::uuid, $2::uuid, $3::integer)) as i (job_id, executor_id, fence)
    cross join lateral (${OWNED_JOB}) owned
    where t.id = owned.subject_id returning t.id`,
});

/** Records a run's current step, unless it was further before a crash; returns whether this execution owns the run. */
export async function noteStep(db: Database, { jobId, executorId, fence }: JobKey, step: number): Promise<boolean> {
  return (await db.query(AT_STEP, [jobId, executorId, fence, step])).length === 1;
}

const ADD_MESSAGE = statement({
  name: "add-team-message",
  text: `
    with owned as (
      select owned.subject_id as id, owned.workspace_id, owned.attempt
      from (values ($1::uuid, $2::uuid, $3::integer)) as i (job_id, executor_id, fence)
      cross join lateral (${OWNED_JOB} for share) owned
    ),
    added as (
      insert into team_messages (id, workspace_id, run_id, attempt, key, sender_agent_id, receiver_agent_id,
        message_type, content, metadata, step_idx, tokens_used)
      select m.id, o.workspace_id, o.id, o.attempt, m.key, m.sender_agent_id, m.receiver_agent_id,
        m.message_type, m.content, m.metadata, m.step_idx, m.tokens_used
      from owned o, jsonb_populate_record(null::team_messages, $4) m
      on conflict (run_id, attempt, key) do nothing
    )
    select id from owned`,
});

/** A message of a run; the agents are null for the service or all agents. */
export interface TeamMessage {
  readonly sender_agent_id: string | null;
  readonly receiver_agent_id: string | null;
  readonly message_type: MessageType;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly step_idx: number | null;
  readonly tokens_used: number;
}

/** Adds a message to a run, once per key; returns whether this execution owns the run. */
export async function addTeamMessage(
  db: Database,
  { jobId, executorId, fence }: JobKey,
  message: TeamMessage & { readonly id: string; readonly key: string },
): Promise<boolean> {
  return (await db.query(ADD_MESSAGE, [jobId, executorId, fence, JSON.stringify(message)])).length === 1;
}
