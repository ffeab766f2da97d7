import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import {
  BREACH_ACTIONS,
  BUDGET_PERIODS,
  BUDGET_READ_ONLY,
  BUDGET_SCOPES,
  budgetCreate,
  budgetPatch,
} from "#domain/budgets/budget.ts";
import { createBudget, deleteBudget, getBudget, updateBudget } from "#operations/budgets/budgets.ts";
import { listPage } from "#operations/list-records.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/budgets";

const pageQuery = listQuery
  .omit({ id: true })
  .extend({ target_id: givenId.optional().describe("Only those of this workspace, agent, team, task or team run.") });

/** Fields that cannot be changed after creation. */
const UNCHANGEABLE = ["scope", "target_id", "period", ...BUDGET_READ_ONLY];

const amount = z.number().min(0);

/** A budget with its current use. */
export const budgetRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    scope: z.enum(BUDGET_SCOPES),
    target_id: z.uuid(),
    target_name: z.string().nullable(),
    period: z.enum(BUDGET_PERIODS),
    max_usd: amount.nullable(),
    max_tokens: z.int().nullable(),
    on_breach: z.enum(BREACH_ACTIONS),
    window: z
      .strictObject({
        key: z.string().describe("The day, the month, total, or the attempt of a run."),
        used_usd: amount,
        used_tokens: z.int(),
        reserved_usd: amount.describe("The worst case of calls in progress."),
        reserved_tokens: z.int(),
        cap_usd: amount.nullable().describe("max_usd plus approved overrides."),
        cap_tokens: z.int().nullable(),
      })
      .nullable()
      .describe("Its current use; null if every run has a window of its own."),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Budget" });

/** Adds /console/api/budgets: caps on spending. */
export default function addBudgets(api: Api): void {
  addPath(api, PATH, { tag: "Budgets", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Budgets", endpoints: [read, change, remove] });
}

const list = endpoint({
  method: "get",
  operationId: "listBudgets",
  summary: "List budgets with their current use, newest first; those of single runs only by target_id",
  query: pageQuery,
  success: { status: 200, schema: z.array(budgetRecord) },
  async handle({ c, workspace, query }) {
    const { limit, cursor, target_id: targetId } = query;
    return respondPage(c, await listPage(workspace, { of: "budget", ...pageOf({ limit, cursor }), targetId }));
  },
});

const create = endpoint({
  method: "post",
  operationId: "createBudget",
  needs: "admin",
  summary: "Create a budget for a workspace, an agent, a team or a run",
  body: budgetCreate,
  readOnly: BUDGET_READ_ONLY,
  success: { status: 201, schema: budgetRecord },
  handle: async ({ c, workspace, body }) => respond(c, await createBudget(workspace, body), 201),
});

const read = endpoint({
  method: "get",
  operationId: "getBudget",
  summary: "Read a budget with its current use",
  params: idQuery,
  success: { status: 200, schema: budgetRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getBudget(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateBudget",
  needs: "admin",
  summary: "Change the caps of a budget, from the next model call on",
  params: idQuery,
  body: budgetPatch,
  readOnly: UNCHANGEABLE,
  success: { status: 200, schema: budgetRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateBudget(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteBudget",
  needs: "admin",
  summary: "Delete a budget with its counters",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteBudget(workspace, params.id),
});
