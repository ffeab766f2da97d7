import type { MessageType } from "#domain/teams/team-run.ts";
import type { Database } from "../../database.ts";
import { OWNED_JOB } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

const AT_STEP = statement({
  name: "team-run-at-step",
  text: `
    update runs t set step_idx = greatest(t.step_idx, $4), updated_at = clock_timestamp()
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
