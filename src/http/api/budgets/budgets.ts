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
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import type { Api } from "../shape/route.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";

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
  addPath(api, PATH, { tag: "Budgets", endpoints: collection() });
  addPath(api, `${PATH}/{id}`, { tag: "Budgets", endpoints: single() });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listBudgets",
      summary: "List budgets with their current use, newest first; those of single runs only by target_id",
      query: pageQuery,
      success: { status: 200, schema: z.array(budgetRecord) },
      async handle(c, services) {
        const { limit, cursor, target_id: targetId } = readQuery(c, pageQuery);
        return respondPage(
          c,
          await listPage(services, c.get("principal"), { of: "budget", ...pageOf({ limit, cursor }), targetId }),
        );
      },
    },
    {
      method: "post",
      operationId: "createBudget",
      needs: "admin",
      summary: "Create a budget for a workspace, an agent, a team or a run",
      body: budgetCreate,
      success: { status: 201, schema: budgetRecord },
      async handle(c, services) {
        const input = await readBody(c, budgetCreate, BUDGET_READ_ONLY);
        return respond(c, await createBudget(services, c.get("principal"), input), 201);
      },
    },
  ];
}

function single(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "getBudget",
      summary: "Read a budget with its current use",
      params: idQuery,
      success: { status: 200, schema: budgetRecord },
      handle: async (c, services) => respond(c, await getBudget(services, c.get("principal"), readId(c))),
    },
    {
      method: "patch",
      operationId: "updateBudget",
      needs: "admin",
      summary: "Change the caps of a budget, from the next model call on",
      params: idQuery,
      body: budgetPatch,
      success: { status: 200, schema: budgetRecord },
      async handle(c, services) {
        const patch = await readBody(c, budgetPatch, UNCHANGEABLE);
        return respond(c, await updateBudget(services, c.get("principal"), { id: readId(c), patch }));
      },
    },
    {
      method: "delete",
      operationId: "deleteBudget",
      needs: "admin",
      summary: "Delete a budget with its counters",
      params: idQuery,
      success: { status: 204 },
      async handle(c, services) {
        await deleteBudget(services, c.get("principal"), readId(c));
        return c.body(null, 204);
      },
    },
  ];
}
