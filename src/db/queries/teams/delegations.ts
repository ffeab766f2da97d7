import type { DelegationStatus } from "#domain/teams/delegation.ts";
import type { Database } from "../../database.ts";
import { OWNED_JOB } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

const PUT = statement({
  name: "put-team-delegation",
  text: `
    with owned as (
      select owned.subject_id as id, owned.workspace_id, owned.attempt
      from (values ($1::uuid, $2::uuid, $3::integer)) as i (job_id, executor_id, fence)
      cross join lateral (${OWNED_JOB} for share) owned
    ),
    put as (
      insert into team_delegations (id, workspace_id, run_id, attempt, key, version, agent_id, instruction,
        status, result, error, score, revisions, tokens_used)
      select d.id, o.workspace_id, o.id, o.attempt, d.key, d.version, d.agent_id, d.instruction,
        d.status, d.result, d.error, d.score, d.revisions, d.tokens_used
      from owned o, jsonb_populate_record(null::team_delegations, $4) d
      on conflict (run_id, attempt, key) do update set version = excluded.version, status = excluded.status,
        result = excluded.result, error = excluded.error, score = excluded.score, revisions = excluded.revisions,
        tokens_used = excluded.tokens_used, updated_at = clock_timestamp()
      where team_delegations.version < excluded.version
    )
    select id from owned`,
});

/** The state of a delegation after a change. */
export interface DelegationState {
  /** Its name in the run's attempt. */
  readonly key: string;
  /** The number of the change, from 1; the same in every execution. */
  readonly version: number;
  readonly agent_id: string;
  readonly instruction: string;
  readonly status: DelegationStatus;
  readonly result: string | null;
  readonly error: string | null;
  readonly score: number | null;
  readonly revisions: number;
  readonly tokens_used: number;
}

/**
 * Stores a delegation's state, unless a later one is stored already; returns whether this execution owns the run.
 * @param state includes the id for a new delegation
 */
export async function putDelegation(
  db: Database,
  { jobId, executorId, fence }: JobKey,
  state: DelegationState & { readonly id: string },
): Promise<boolean> {
  return (await db.query(PUT, [jobId, executorId, fence, JSON.stringify(state)])).length === 1;
}
