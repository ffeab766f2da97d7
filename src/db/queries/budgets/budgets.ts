import type { BudgetPeriod, BudgetScope, RunBudget } from "#domain/budgets/budget.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

// A new budget's current window starts with the amount already spent in it. A run opens its own window. Foreign keys
// are checked at the end of the statement.
const INSERT = statement({
  name: "insert-budget",
  text: `
    with made as (
      insert into budgets (id, workspace_id, scope, target_id, period, max_usd, max_tokens, on_breach, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict on constraint budgets_target_key do nothing
      returning id, workspace_id, scope, target_id, period
    ),
    opened as (
      insert into budget_windows (budget_id, key, workspace_id, used_usd, used_tokens)
      select m.id, budget_window(m.period, null, null), m.workspace_id, coalesce(u.usd, 0), coalesce(u.tokens, 0)
      from made m
      left join lateral (
        select sum(r.estimated_cost_usd + r.worst_case_cost_usd) as usd,
          sum(r.prompt_tokens + r.completion_tokens + r.worst_case_tokens) as tokens
        from usage_records r
        where r.workspace_id = m.workspace_id and r.created_at >= budget_window_start(m.period)
          and case m.scope when 'agent' then r.agent_id = m.target_id when 'team' then r.team_id = m.target_id
            when 'page' then exists (select from runs t where t.id = r.task_id and t.source_kind = 'page' and t.source_id = m.target_id)
            else true end
      ) u on true
      where m.period <> 'run'
    )
    select id from made`,
});
// A run's budget has no window yet, and the role that starts runs may not open one.
const INSERT_FOR_RUN = statement({
  name: "insert-run-budget",
  text: `
    insert into budgets (id, workspace_id, scope, target_id, period, max_usd, max_tokens, on_breach, created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict on constraint budgets_target_key do nothing
    returning id`,
});

/** A budget to insert. */
export interface NewBudget extends RunBudget {
  readonly id: string;
  readonly workspaceId: string;
  readonly scope: BudgetScope;
  readonly targetId: string;
  readonly period: BudgetPeriod;
  readonly createdBy: string;
}

/** Inserts a budget; returns false when this target and period already has one. */
export async function insertBudget(tx: Transaction, budget: NewBudget): Promise<boolean> {
  const made = await tx.query(budget.scope === "run" ? INSERT_FOR_RUN : INSERT, [
    budget.id,
    budget.workspaceId,
    budget.scope,
    budget.targetId,
    budget.period,
    budget.max_usd ?? null,
    budget.max_tokens ?? null,
    budget.on_breach,
    budget.createdBy,
  ]);
  return made.length === 1;
}

const COPY = statement({
  name: "copy-run-budget",
  text: `
    insert into budgets (id, workspace_id, scope, target_id, period, max_usd, max_tokens, on_breach, created_by)
    select $1, b.workspace_id, b.scope, $2, b.period, b.max_usd, b.max_tokens, b.on_breach, $3
    from (
      select * from budgets o
      where o.period = 'run' and o.target_id in ($4, (select r.parent_id from runs r where r.id = $4))
      order by o.target_id = $4 desc limit 1
    ) b`,
});

/**
 * Copies the cap of a task or team run, its own or that of its task, to another one, if there is a cap.
 * @param copy.id the id of the new budget
 */
export async function copyRunBudget(
  tx: Transaction,
  copy: { readonly id: string; readonly from: string; readonly to: string; readonly createdBy: string },
): Promise<void> {
  await tx.query(COPY, [copy.id, copy.to, copy.createdBy, copy.from]);
}

const FIND = statement({
  name: "find-budget",
  text: `select id from budgets where target_id = $1 and period = $2`,
});

/** The id of the budget of a target and period; undefined when there is none. */
export async function findBudget(tx: Transaction, targetId: string, period: BudgetPeriod): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(FIND, [targetId, period]);
  return row?.id;
}

const TARGETS = {
  agent: statement({ name: "budget-target-agent", text: `select id from agents where id = $1` }),
  team: statement({ name: "budget-target-team", text: `select id from teams where id = $1` }),
  page: statement({ name: "budget-target-page", text: `select id from agent_pages where id = $1` }),
  run: statement({
    name: "budget-target-run",
    text: `select id from runs where id = $1`,
  }),
};

/** Whether the workspace has the agent, team, task or team run of a budget. */
export async function hasTarget(
  tx: Transaction,
  scope: Exclude<BudgetScope, "workspace">,
  targetId: string,
): Promise<boolean> {
  return (await tx.query(TARGETS[scope], [targetId])).length === 1;
}

const LOCK = statement({
  name: "lock-budget",
  text: `
    select max_usd::double precision as max_usd, max_tokens::double precision as max_tokens, on_breach
    from budgets where id = $1 for no key update`,
});

/** Reads the caps of a budget and locks it until the transaction ends. */
export async function lockBudget(tx: Transaction, id: string): Promise<RunBudget | undefined> {
  const [row] = await tx.query<RunBudget>(LOCK, [id]);
  return row;
}

const UPDATE = statement({
  name: "update-budget",
  text: `
    update budgets set max_usd = $2, max_tokens = $3, on_breach = $4, updated_at = clock_timestamp() where id = $1`,
});

/** Writes the caps of a budget. */
export async function updateBudget(tx: Transaction, id: string, caps: RunBudget): Promise<void> {
  await tx.query(UPDATE, [id, caps.max_usd ?? null, caps.max_tokens ?? null, caps.on_breach]);
}

const DELETE = statement({ name: "delete-budget", text: `delete from budgets where id = $1 returning id` });

/** Deletes a budget and its counts; returns whether there was one. */
export async function deleteBudget(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [id])).length === 1;
}
