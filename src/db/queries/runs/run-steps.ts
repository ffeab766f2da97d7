import type { BillingModel } from "#domain/models/model-call.ts";
import type { ExecutionOutcome } from "#domain/runs/execution-outcome.ts";
import type { AttemptOf } from "#domain/tasks/run-job.ts";
import type { Database, Transaction } from "../../database.ts";
import { OWNED_JOB, ownerColumns } from "../queue/job-owner.ts";
import type { JobKey } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-run-steps",
  text: `select key, result::text as result from run_steps where run_id = $1 and attempt = $2 order by created_at`,
});

/** Reads the recorded values of an attempt's steps: JSON texts by step key, oldest first. */
export async function readSteps(db: Database, run: JobKey): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ key: string; result: string }>(READ, [run.subjectId, run.attempt]);
  return new Map(rows.map(({ key, result }) => [key, result]));
}

const READ_ATTEMPTS = statement({
  name: "read-attempts-steps",
  text: `
    select s.run_id as "runId", s.attempt, s.key, s.result::text as result
    from unnest($2::uuid[], $3::integer[]) as a (run_id, attempt)
    join run_steps s on s.run_id = a.run_id and s.attempt = a.attempt and s.workspace_id = $1
    order by s.created_at`,
});

/** A recorded step of one of several attempts; the result is JSON. */
export interface AttemptStep extends AttemptOf {
  readonly key: string;
  readonly result: string;
}

/** Reads the steps of attempts of a workspace, oldest first; deleted ones are missing. */
export async function readAttempts(
  db: Database,
  workspaceId: string,
  attempts: readonly AttemptOf[],
): Promise<readonly AttemptStep[]> {
  return db.query<AttemptStep>(READ_ATTEMPTS, [
    workspaceId,
    attempts.map(({ runId }) => runId),
    attempts.map(({ attempt }) => attempt),
  ]);
}

const LAST_EXECUTION = statement({
  name: "read-last-execution",
  text: `
    select outcome, fence from run_executions where run_id = $1 and attempt = $2 order by fence desc limit 1`,
});

/** An execution that has ended, and how. */
export interface EndedExecution {
  readonly outcome: ExecutionOutcome;
  readonly fence: number;
}

/** The previous execution; undefined for the first one of an attempt. */
export async function readLastExecution(db: Database, run: JobKey): Promise<EndedExecution | undefined> {
  const [row] = await db.query<EndedExecution>(LAST_EXECUTION, [run.subjectId, run.attempt]);
  return row;
}

// The job's lock prevents a takeover until the row is committed, however slow the disk is. So the next owner sees the
// step, or this execution learns that it no longer owns the job.
const RECORD = statement({ name: "record-run-steps", text: recordOf("") });
// The same statement records a call's usage and charges its budget reservation.
const RECORD_AND_CHARGE = statement({
  name: "record-and-charge-run-steps",
  text: recordOf(`
    , settled as (
      select charge_reservations(coalesce(json_agg(json_build_object('id', id, 'usd', usd, 'tokens', tokens)), '[]'))
      from used
    )`),
});

function recordOf(settled: string): string {
  return `
    with incoming as (
      select i.*, owned.workspace_id, owned.subject_id as run_id, owned.attempt
      from rows from (unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::json[], $6::json[],
          $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::json[], $11::json[], $12::json[], $13::json[]))
        with ordinality as i (job_id, executor_id, fence, key, result, usage, started_at, first_token_at, ended_at, facts,
          request, tries, exchanges, n)
      left join lateral (${OWNED_JOB} for share) owned on true
    ),
    stored as (
      insert into run_steps (run_id, attempt, key, workspace_id, result, started_at, first_token_at, ended_at, facts,
        request, tries, exchanges)
      select run_id, attempt, key, workspace_id, result, started_at, first_token_at, ended_at, facts, request, tries,
        exchanges
      from incoming where workspace_id is not null
      on conflict (run_id, attempt, key) do update set result = excluded.result
    ),
    used as (
      insert into usage_records (id, workspace_id, task_id, team_run_id, team_id, agent_id, agent_version, attempt, step,
        turn, provider, model, prompt_tokens, completion_tokens, estimated_cost_usd, billing_model,
        cached_tokens, cache_write_tokens, reasoning_tokens, worst_case_tokens, worst_case_cost_usd)
      select u.id, i.workspace_id, u.task_id, u.team_run_id, u.team_id, u.agent_id, u.agent_version, i.attempt, u.step,
        u.turn, u.provider, u.model, u.prompt_tokens, u.completion_tokens, u.estimated_cost_usd, u.billing_model,
        coalesce(u.cached_tokens, 0), coalesce(u.cache_write_tokens, 0), coalesce(u.reasoning_tokens, 0),
        coalesce(u.worst_case_tokens, 0), coalesce(u.worst_case_cost_usd, 0)
      from incoming i cross join lateral json_populate_record(null::usage_records, i.usage) u
      where i.usage is not null and i.workspace_id is not null
      on conflict (id) do nothing
      returning id, prompt_tokens + completion_tokens + worst_case_tokens as tokens,
        estimated_cost_usd + worst_case_cost_usd as usd
    )${settled}
    select workspace_id is not null as owned from incoming${settled && " cross join settled"} order by n`;
}

/** The usage of a step; the cost is in US dollars. */
export interface UsageEntry {
  readonly id: string;
  readonly task_id: string | null;
  readonly team_run_id: string | null;
  readonly team_id: string | null;
  readonly agent_id: string;
  /** The version of the agent; null when it was changed for this run. */
  readonly agent_version: number | null;
  /** The number of the model call, from 0. */
  readonly step: number;
  /** The turn in a team run; absent for a task. */
  readonly turn?: string | undefined;
  readonly provider: string;
  readonly model: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  /** Absent: 0. */
  readonly cached_tokens?: number | undefined;
  readonly cache_write_tokens?: number | undefined;
  readonly reasoning_tokens?: number | undefined;
  /** The worst case of what the provider did not report; absent: 0. */
  readonly worst_case_tokens?: number | undefined;
  readonly worst_case_cost_usd?: number | undefined;
  readonly estimated_cost_usd: number;
  readonly billing_model: BillingModel;
  /** Whether its id is that of a budget reservation, which it charges. */
  readonly settles: boolean;
}

/** A finished step to record. */
export interface FinishedStep {
  readonly run: JobKey;
  readonly key: string;
  /** Its value, as JSON. */
  readonly result: string;
  readonly usage?: UsageEntry | undefined;
  readonly record?: RecordedStep;
}

/** Details of a step for people. */
export interface RecordedStep {
  readonly startedAt: Date;
  /** When the first part of the model's reply arrived. */
  readonly firstTokenAt: Date | null;
  readonly endedAt: Date;
  /** JSON, as `stepFacts`. */
  readonly facts: string;
  /** JSON, as `sentRequest`. */
  readonly request: string | null;
  /** JSON, a list of `modelTry`. */
  readonly tries: string | null;
  /** JSON, a list of `providerExchange`. */
  readonly exchanges: string | null;
}

/**
 * Records finished steps of any runs with their usage, in one statement that is safe to repeat. Returns for each
 * whether its execution owns the run; otherwise nothing is stored.
 */
export async function recordSteps(
  db: Database | Transaction,
  steps: readonly FinishedStep[],
): Promise<readonly boolean[]> {
  const statement = steps.some(({ usage }) => usage?.settles) ? RECORD_AND_CHARGE : RECORD;
  const sorted = steps.toSorted((a, b) => (a.run.jobId < b.run.jobId ? -1 : Number(a.run.jobId > b.run.jobId)));
  const rows = await db.query<{ owned: boolean }>(statement, [
    ...ownerColumns(sorted.map(({ run }) => run)),
    sorted.map(({ key }) => key),
    sorted.map(({ result }) => result),
    sorted.map(({ usage }) => (usage === undefined ? null : JSON.stringify(usage))),
    sorted.map(({ record }) => record?.startedAt ?? null),
    sorted.map(({ record }) => record?.firstTokenAt ?? null),
    sorted.map(({ record }) => record?.endedAt ?? null),
    sorted.map(({ record }) => record?.facts ?? null),
    sorted.map(({ record }) => record?.request ?? null),
    sorted.map(({ record }) => record?.tries ?? null),
    sorted.map(({ record }) => record?.exchanges ?? null),
  ]);
  const owned = new Set(sorted.filter((_, index) => rows[index]?.owned));
  return steps.map((step) => owned.has(step));
}

/** SQL: deletes rows of closed attempts that are older than $1. */
const deletionOf = (table: string, key: string, at: string) => `
    delete from ${table} r using (
      select o.run_id, o.attempt, o.${key} from ${table} o
      join task_streams s on s.log_id = o.run_id and (s.closed or s.attempt > o.attempt)
      where o.${at} < $1 limit $2
    ) old
    where r.run_id = old.run_id and r.attempt = old.attempt and r.${key} = old.${key}
    returning r.${key}`;

const DELETE_OLD_EXECUTIONS = statement({
  name: "delete-old-run-executions",
  text: deletionOf("run_executions", "fence", "ended_at"),
});
const DELETE_OLD_STEPS = statement({
  name: "delete-old-run-steps",
  text: deletionOf("run_steps", "key", "created_at"),
});

/** Deletes up to `limit` executions of closed attempts that ended before a time; returns the number. */
export async function deleteOldExecutions(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD_EXECUTIONS, [before, limit])).length;
}

/** Deletes up to `limit` steps of closed attempts that finished before a time; returns the number. */
export async function deleteOldSteps(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD_STEPS, [before, limit])).length;
}
