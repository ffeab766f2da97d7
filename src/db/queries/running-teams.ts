import type { MessageType, RunStatus } from "#domain/team-run.ts";
import type { Database, Transaction } from "../database.ts";
import type { RunKey } from "./runs.ts";

// A run's log stands under its own id, which is the taskId of its keys here.

const START = {
  name: "start-team-run",
  text: `
    with started as (
      update team_runs set status = 'running', run_writer = $3, updated_at = clock_timestamp(),
        started_at = coalesce(started_at, clock_timestamp())
      where id = $1 and attempt = $2 and status = any($4)
      returning id
    ),
    prior as (
      select s.task_id, s.writer from task_streams s join started on s.task_id = started.id
      for update of s
    )
    update task_streams s set writer = $3
    from prior p where s.task_id = p.task_id
    returning p.writer is not null as resumed`,
};

/** A run as it begins or goes on. */
export interface StartedTeamRun {
  /** Whether another execution had begun this attempt and did not hand it over. */
  readonly resumed: boolean;
}

/** Makes this execution the owner of the attempt and moves the run to `running`; undefined when it is not to be run. */
export async function startTeamRun(
  tx: Transaction,
  { taskId: runId, attempt, writer }: RunKey,
  from: readonly RunStatus[],
): Promise<StartedTeamRun | undefined> {
  const values = [runId, attempt, writer, from];
  const [started] = await tx.query<StartedTeamRun & Record<string, unknown>>(START, values);
  return started;
}

const FINISH = {
  name: "finish-team-run",
  text: `
    with ended as (
      update team_runs set status = $4, output = $5, error = $6, interaction = null,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = $1 and attempt = $2 and run_writer = $3 and status = any($7)
      returning id
    )
    update task_streams s set closed = true from ended where s.task_id = ended.id
    returning s.task_id`,
};

/** How a run ended. */
export interface TeamRunEnd {
  readonly status: "completed" | "failed";
  readonly output: string | null;
  readonly error: string | null;
}

/** Ends a run; returns false when this execution no longer owns it or it was cancelled. */
export async function finishTeamRun(
  tx: Transaction,
  { taskId: runId, attempt, writer }: RunKey,
  end: TeamRunEnd & { readonly from: readonly RunStatus[] },
): Promise<boolean> {
  const values = [runId, attempt, writer, end.status, end.output, end.error, end.from];
  return (await tx.query(FINISH, values)).length === 1;
}

const AT_STEP = {
  name: "team-run-at-step",
  text: `
    update team_runs set current_step_idx = $3, updated_at = clock_timestamp()
    where id = $1 and run_writer = $2 and status = 'running'
    returning id`,
};

/** Notes which step of its config a run is at; returns whether this execution owns it. */
export async function noteStep(db: Database, { taskId: runId, writer }: RunKey, step: number): Promise<boolean> {
  return (await db.query(AT_STEP, [runId, writer, step])).length === 1;
}

const ADD_MESSAGE = {
  name: "add-team-message",
  text: `
    with owned as (
      select id, workspace_id, attempt from team_runs where id = $1 and run_writer = $2 and status = 'running'
      for share
    ),
    added as (
      insert into team_messages (id, workspace_id, run_id, attempt, key, sender_agent_id, receiver_agent_id,
        message_type, content, metadata, step_idx, tokens_used)
      select m.id, o.workspace_id, o.id, o.attempt, $3, m.sender_agent_id, m.receiver_agent_id,
        m.message_type, m.content, m.metadata, m.step_idx, m.tokens_used
      from owned o, jsonb_populate_record(null::team_messages, $4) m
      on conflict (run_id, attempt, key) do nothing
    )
    select id from owned`,
};

/** Something that an agent of a run said; null where nobody in particular speaks or is spoken to. */
export interface TeamMessage {
  readonly sender_agent_id: string | null;
  readonly receiver_agent_id: string | null;
  readonly message_type: MessageType;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly step_idx: number | null;
  readonly tokens_used: number;
}

/** Adds a message to a run, once under its key; returns whether this execution owns the run. */
export async function addTeamMessage(
  db: Database,
  { taskId: runId, writer }: RunKey,
  message: TeamMessage & { readonly id: string; readonly key: string },
): Promise<boolean> {
  return (await db.query(ADD_MESSAGE, [runId, writer, message.key, JSON.stringify(message)])).length === 1;
}
