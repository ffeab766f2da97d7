import type { BREACH_ACTIONS, BudgetPeriod, BudgetScope } from "#domain/budgets/budget.ts";
import type { Database } from "../../database.ts";
import type { ChargedTo } from "#domain/models/billing-target.ts";
import type { BillingModel } from "#domain/models/model-call.ts";
import { OWNED_JOB } from "../queue/job-owner.ts";
import type { JobKey, JobOwner } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";

const TARGETS = statement({
  name: "budget-targets",
  text: `
    (select distinct target_id as id from budgets where workspace_id = $1 and scope <> 'run')
    union all
    (select null from budgets where workspace_id = $1 and scope = 'run' limit 1)`,
});

/** The budget scopes of a workspace: its own id and ids of agents and teams; null when single runs have budgets. */
export async function budgetTargets(db: Database, workspaceId: string): Promise<readonly (string | null)[]> {
  return (await db.query<{ id: string | null }>(TARGETS, [workspaceId])).map(({ id }) => id);
}

const RESERVE = statement({
  name: "reserve-budgets",
  text: `select verdict, standing from reserve_budgets($1) order by n`,
});

/** The tokens and costs of an interrupted call. */
export interface InterruptedTokens {
  readonly provider: string;
  readonly model: string;
  readonly billing_model: BillingModel;
  /** As far as the provider had reported it. */
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens?: number | undefined;
  readonly cache_write_tokens?: number | undefined;
  readonly reasoning_tokens?: number | undefined;
  readonly estimated_cost_usd: number;
  /** The worst case of the rest. */
  readonly worst_case_tokens: number;
  readonly worst_case_cost_usd: number;
}

/** The usage record of an interrupted call. */
export interface InterruptedUsage extends ChargedTo, InterruptedTokens {
  readonly id: string;
  readonly workspace_id: string;
  readonly attempt: number;
  /** The number of the model call; null for embeddings. */
  readonly step: number | null;
}

/** A provider call before it is made, with its worst case. */
export interface BudgetCall {
  /** The id of the usage record that will charge the reservation. */
  readonly id: string;
  readonly workspace_id: string;
  /** The budget scopes of the call: ids of the workspace, agent, team, task and team run. */
  readonly targets: readonly string[];
  readonly run_id: string;
  readonly attempt: number;
  /** The key of the run's step that makes the call; calls outside of runs have their own id. */
  readonly step: string;
  /** Null when the model has no price. */
  readonly usd: number | null;
  readonly tokens: number;
  /** What is recorded when this process dies during the call. */
  readonly usage: InterruptedUsage;
}

/** The state of a budget that a call would exceed. */
export interface BudgetStanding {
  readonly id: string;
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  readonly on_breach: (typeof BREACH_ACTIONS)[number];
  /** The budget's current window. */
  readonly key: string;
  readonly max_usd: number | null;
  readonly used_usd: number;
  readonly reserved_usd: number;
  readonly extra_usd: number;
  readonly max_tokens: number | null;
  readonly used_tokens: number;
  readonly reserved_tokens: number;
  readonly extra_tokens: number;
}

/** A call that may have been open when its process died. */
export interface LostCall {
  /** Of the execution that died. */
  readonly fence: number;
  readonly usage: InterruptedUsage;
}

/**
 * The outcome of a reservation. `free`: no budget applies. `granted`: the worst case is reserved. `wait`: it may fit
 * once calls in flight are charged. `exceeded`: it never fits. `unpriced`: a dollar cap applies and the model has no
 * price. `ended`: the run is no longer in progress.
 */
export type BudgetVerdict =
  | { readonly verdict: "free" | "granted"; readonly standing: null }
  | { readonly verdict: "ended"; readonly standing: null }
  | { readonly verdict: "wait"; readonly standing: BudgetStanding }
  | { readonly verdict: "exceeded" | "unpriced"; readonly standing: BudgetStanding };

/**
 * Reserves the worst cases of several calls in one statement. An earlier reservation of the same step belongs to an
 * interrupted call, and is charged in full. Safe to repeat.
 * @throws an error with code 55P03 when another transaction holds a lock on a budget
 */
export function reserveBudgets(db: Database, calls: readonly BudgetCall[]): Promise<readonly BudgetVerdict[]> {
  return db.query<BudgetVerdict>(RESERVE, [JSON.stringify(calls)]);
}

const NOTE = statement({
  name: "note-call",
  text: `
    insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens, usage)
    select $4, owned.workspace_id, owned.subject_id, owned.attempt, $5, '{}', '{}', 0, 0, $6
    from (values ($1::uuid, $2::uuid, $3::integer)) as i (job_id, executor_id, fence)
    cross join lateral (${OWNED_JOB} for share) owned
    on conflict (run_id, attempt, step) do update set step = excluded.step
    returning id`,
});

/**
 * Notes a call that no budget applies to, if its execution owns the job; it ends as a reservation does. Returns whether
 * it is noted. Safe to repeat.
 */
export async function noteCall(
  db: Database,
  { jobId, executorId, fence }: JobOwner,
  call: BudgetCall,
): Promise<boolean> {
  const values = [jobId, executorId, fence, call.id, call.step, JSON.stringify(call.usage)];
  return (await db.query<{ id: string }>(NOTE, values)).some(({ id }) => id === call.id);
}

const FREE = statement({ name: "free-reservation", text: `select charge_reservations($1)` });

/** Ends the reservation of a call that cost nothing. Safe to repeat. */
export async function freeReservation(db: Database, id: string): Promise<void> {
  await db.query(FREE, [JSON.stringify([{ id, usd: 0, tokens: 0 }])]);
}

const INTERRUPT = statement({
  name: "record-interrupted-call",
  text: `select record_interrupted($1), charge_reservations($2)`,
});

/** Records an interrupted call, and charges its reservation if it has one. Safe to repeat. */
export async function recordInterrupted(db: Database, usage: InterruptedUsage): Promise<void> {
  const charge = {
    id: usage.id,
    usd: usage.estimated_cost_usd + usage.worst_case_cost_usd,
    tokens: usage.prompt_tokens + usage.completion_tokens + usage.worst_case_tokens,
  };
  await db.query(INTERRUPT, [JSON.stringify([usage]), JSON.stringify([charge])]);
}

const RECORD_LOST = statement({
  name: "record-lost-call",
  text: `
    select record_interrupted(json_build_array(i.usage))
    from (values ($1::uuid, $2::integer, $3::integer, $4::json)) as i (run_id, attempt, fence, usage)
    cross join lateral json_populate_record(null::usage_records, i.usage) c
    cross join lateral (
      select e.ended_at from run_executions e
      where e.run_id = i.run_id and e.attempt = i.attempt and e.fence = i.fence limit 1
    ) lost
    left join lateral (
      select u.id from (
        select * from usage_records t where t.task_id = c.task_id
        union all
        select * from usage_records r where r.team_run_id = c.team_run_id
      ) u
      where u.interrupted and u.attempt = c.attempt and u.step = c.step and u.turn is not distinct from c.turn
        and u.created_at >= lost.ended_at
      limit 1
    ) known on true
    where known.id is null`,
});

/**
 * Records the call that was open when an execution ended with its process, unless it was reserved or noted: then it is
 * recorded by now. Call it after {@link chargeReservationsOf}. Safe to repeat.
 */
export async function recordLost(db: Database, { subjectId, attempt }: JobKey, lost: LostCall): Promise<void> {
  await db.query(RECORD_LOST, [subjectId, attempt, lost.fence, JSON.stringify(lost.usage)]);
}

const CHARGE_OF_JOB = statement({
  name: "charge-reservations-of-run",
  text: `
    select charge_reservations((select coalesce(json_agg(json_build_object('id', r.id)), '[]')
      from (values ($1::uuid, $2::uuid, $3::integer)) as i (job_id, executor_id, fence)
      cross join lateral (${OWNED_JOB}) owned
      join budget_reservations r on r.run_id = owned.subject_id and r.attempt = owned.attempt))`,
});

/**
 * Charges earlier executions' reservations of an attempt in full; call it before this execution reserves anything. Does
 * nothing when the execution no longer owns the run, because a later one may have reserved.
 */
export async function chargeReservationsOf(db: Database, { jobId, executorId, fence }: JobKey): Promise<void> {
  await db.query(CHARGE_OF_JOB, [jobId, executorId, fence]);
}

// A run without an owner has no call in flight, even if it has not ended; another run may need the reserved amount to
// continue. Reservations outside of runs (for questions and documents) are kept for a minute.
const CHARGE_REMAINING = statement({
  name: "charge-left-reservations",
  text: `
    with left_over as (
      select r.id from budget_reservations r
      left join lateral (
        select j.id from jobs j where j.subject_id = r.run_id and j.attempt = r.attempt and j.state = 'running' limit 1
      ) doing on true
      where doing.id is null
        and (r.created_at < clock_timestamp() - interval '1 minute'
          or (select s.log_id from task_streams s where s.log_id = r.run_id) is not null)
    )
    select charge_reservations((select coalesce(json_agg(json_build_object('id', id)), '[]') from left_over))`,
});

/** Charges the reservations of runs, documents and questions whose process died before charging them. */
export async function chargeRemainingReservations(db: Database): Promise<void> {
  await db.query(CHARGE_REMAINING);
}

const EXTEND = statement({
  name: "extend-budget",
  text: `
    with approved as (
      insert into budget_extensions (budget_id, run_id, attempt, answer, workspace_id, key)
      select id, $3, $4, $5, workspace_id, $2 from budgets where id = $1
      on conflict do nothing
      returning budget_id, key
    )
    update budget_windows w set updated_at = clock_timestamp(),
      extra_usd = w.extra_usd + coalesce(greatest(b.max_usd, w.used_usd + $6 - b.max_usd - w.extra_usd), 0),
      extra_tokens = w.extra_tokens
        + coalesce(greatest(b.max_tokens, w.used_tokens + $7 - b.max_tokens - w.extra_tokens), 0)
    from approved a join budgets b on b.id = a.budget_id
    where w.budget_id = a.budget_id and w.key = a.key`,
});

/**
 * Raises a budget in its window by an approved amount: by the cap, or by the amount that the call needs if it is
 * greater. Applied once per answer; safe to repeat.
 */
export async function extendBudget(
  db: Database,
  standing: BudgetStanding,
  approved: { readonly call: BudgetCall; readonly answer: string },
): Promise<void> {
  const { call, answer } = approved;
  await db.query(EXTEND, [standing.id, standing.key, call.run_id, call.attempt, answer, call.usd, call.tokens]);
}

const DELETE_OLD = statement({
  name: "delete-old-run-windows",
  text: `
    with old as (
      select w.budget_id, w.key from budgets b join budget_windows w on w.budget_id = b.id
      where b.period = 'run' and w.updated_at < $1 and w.reserved_tokens = 0 limit $2
    )
    delete from budget_windows w using old where w.budget_id = old.budget_id and w.key = old.key returning w.key`,
});

/** Deletes up to `limit` unused windows of runs, older than a time; returns the number. */
export async function deleteOldRunWindows(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD, [before, limit])).length;
}
