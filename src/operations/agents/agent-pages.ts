import { withDefaults } from "#domain/agents/agent-page.ts";
import type { PageCreate, PagePatch, PageRecord } from "#domain/agents/agent-page.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import { requireRole } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import * as budgets from "#db/queries/budgets/budgets.ts";
import * as rows from "#db/queries/agents/agent-pages.ts";
import type { PageRequest, RowPage } from "#db/queries/row-pages.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/security/password.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Page");

/** Lists the workspace's pages, newest first: all, or that of one agent. */
export function listPages(
  workspace: Workspace,
  page: PageRequest & { readonly agentId: string | undefined },
): Promise<RowPage<PageRecord>> {
  return rows.listPages(workspace, page);
}

/** Reads a page with what its budgets have used. @throws AppError `not_found`. */
export async function getPage(workspace: Workspace, id: string): Promise<PageRecord> {
  return found(await rows.readPage(workspace, id));
}

/**
 * Creates the page of an agent, with its budgets; it is off unless the input says otherwise.
 * @throws AppError `bad_request` for an unknown agent; `conflict` for a slug that is taken, and an agent with a page.
 */
export async function createPage(workspace: Workspace, input: PageCreate): Promise<PageRecord> {
  requireRole(workspace.who, "admin");
  const { workspaceId, userId: createdBy } = workspace.who;
  const { agent_id: agentId, code, limits, ...fields } = input;
  const codeHash = code === null ? null : await hashPassword(code);
  const id = newId();
  return workspace.transaction(async (tx) => {
    const page = { ...fields, id, workspaceId, agentId, codeHash, createdBy, limits: withDefaults(limits) };
    await rows.insertPage(tx, page);
    await setBudgets(tx, workspace, id, input);
    return found(await rows.readPage(tx, id));
  });
}

/**
 * Changes a page, immediately and in every process: visitors of a page that is switched off, and those with an earlier
 * code, are sent away, and what they follow ends.
 * @throws AppError `not_found`; `conflict` for a slug that is taken
 */
export async function changePage(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: PagePatch },
): Promise<PageRecord> {
  requireRole(workspace.who, "admin");
  const { code, limits, budget_day_usd: _, budget_month_usd: __, ...fields } = patch;
  const codeHash = code === undefined || code === null ? code : await hashPassword(code);
  return workspace.transaction(async (tx) => {
    const { agentId: ___, ...current } = found(await rows.lockPage(tx, id));
    await rows.updatePage(tx, id, { ...current, ...fields, limits: { ...current.limits, ...limits } });
    if (codeHash !== undefined) await rows.setPageCode(tx, id, codeHash);
    await setBudgets(tx, workspace, id, patch);
    return found(await rows.readPage(tx, id));
  });
}

/** Sends all visitors away: who comes again starts without the conversations of before. @throws AppError `not_found` */
export async function rotatePage(workspace: Workspace, id: string): Promise<PageRecord> {
  requireRole(workspace.who, "admin");
  return workspace.transaction(async (tx) => {
    if (!(await rows.rotatePage(tx, id))) throw notFound("Page");
    return found(await rows.readPage(tx, id));
  });
}

/** Deletes a page with its budgets; the runs of its visitors remain. @throws AppError `not_found` */
export async function deletePage(workspace: Workspace, id: string): Promise<void> {
  requireRole(workspace.who, "admin");
  if (!(await workspace.transaction((tx) => rows.deletePage(tx, id)))) throw notFound("Page");
}

type Budgets = Pick<PagePatch, "budget_day_usd" | "budget_month_usd">;

/** The budgets of a page are budgets like any other: runs that would exceed one are stopped. */
async function setBudgets(
  tx: Transaction,
  { who: { workspaceId, userId: createdBy } }: Workspace,
  targetId: string,
  { budget_day_usd: day, budget_month_usd: month }: Budgets,
): Promise<void> {
  for (const [period, max_usd] of [["day", day] as const, ["month", month] as const]) {
    if (max_usd === undefined) continue;
    const known = await budgets.findBudget(tx, targetId, period);
    const caps = { max_usd, on_breach: "stop" as const };
    if (max_usd === null) {
      if (known !== undefined) await budgets.deleteBudget(tx, known);
    } else if (known === undefined) {
      await budgets.insertBudget(tx, { ...caps, id: newId(), workspaceId, scope: "page", targetId, period, createdBy });
    } else {
      await budgets.updateBudget(tx, known, caps);
    }
  }
}
