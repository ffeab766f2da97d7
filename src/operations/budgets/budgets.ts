import type { BudgetCreate, BudgetPatch, RunBudget } from "#domain/budgets/budget.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/budgets/budgets.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Budget");

const LABEL = { agent: "Agent", team: "Team", run: "Task or run", page: "Page" } as const;

/**
 * Creates a budget. Its current window includes what was spent in it already.
 * @throws AppError `not_found` for its target; `conflict` when the target has a budget for the period.
 */
export async function createBudget(workspace: Workspace, input: BudgetCreate): Promise<JsonText> {
  const { scope, period = scope === "run" ? "run" : "day" } = input;
  const { workspaceId, userId: createdBy } = workspace.who;
  const targetId = input.target_id ?? workspaceId;
  return workspace.transaction(async (tx) => {
    const isThere = scope === "workspace" ? targetId === workspaceId : await rows.hasTarget(tx, scope, targetId);
    if (!isThere) throw notFound(scope === "workspace" ? "Workspace" : LABEL[scope]);
    const id = newId();
    const made = await rows.insertBudget(tx, { ...input, id, workspaceId, scope, targetId, period, createdBy });
    if (!made) {
      const known = await rows.findBudget(tx, targetId, period);
      throw new AppError("conflict", `This budget already exists: change /console/api/budgets/${known}.`);
    }
    return found(await readRecord(tx, "budget", id));
  });
}

/** Caps a run in the transaction that creates it. @param targetId its task or, without one, the team run */
export async function capRun(
  tx: Transaction,
  who: Principal,
  { targetId, budget }: { readonly targetId: string; readonly budget: RunBudget },
): Promise<void> {
  const { workspaceId, userId: createdBy } = who;
  await rows.insertBudget(tx, {
    ...budget,
    id: newId(),
    workspaceId,
    scope: "run",
    targetId,
    period: "run",
    createdBy,
  });
}

/** Reads a budget and its current use. @throws AppError `not_found`. */
export async function getBudget(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "budget", id));
}

/**
 * Changes the caps of a budget, from the next model call on. @throws AppError `not_found`; `bad_request` when no cap
 * would remain.
 */
export function updateBudget(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: BudgetPatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const caps = found(await rows.lockBudget(tx, id));
    const changed = { ...caps, ...defined(patch) };
    if (changed.max_usd == null && changed.max_tokens == null) {
      throw invalid("body", [{ path: "", message: "set max_usd or max_tokens, or delete the budget" }]);
    }
    await rows.updateBudget(tx, id, changed);
    return found(await readRecord(tx, "budget", id));
  });
}

/** Deletes a budget with its counters. @throws AppError `not_found`. */
export async function deleteBudget(workspace: Workspace, id: string): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteBudget(tx, id)))) throw notFound("Budget");
}

function defined({ max_usd, max_tokens, on_breach }: BudgetPatch): Partial<RunBudget> {
  return {
    ...(max_usd !== undefined && { max_usd }),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(on_breach !== undefined && { on_breach }),
  };
}
