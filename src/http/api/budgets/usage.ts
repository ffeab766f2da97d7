import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { invalid } from "#domain/invalid.ts";
import { USAGE_GROUPS, usageColumns, usageCsv } from "#domain/models/usage.ts";
import { listPage } from "#operations/list-records.ts";
import { whatIf } from "#domain/models/what-if.ts";
import { priceCalls } from "#operations/budgets/what-if.ts";
import { reportUsage } from "#operations/budgets/usage.ts";
import type { HttpContext } from "../../context.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { budgetRecord } from "./budgets.ts";
import { endpoint } from "../shape/endpoint.ts";

/** The default length of a report, in days. */
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const SHOWN_BUDGETS = 200;
const CSV_HEADERS = {
  "Content-Type": "text/csv; charset=utf-8",
  "Content-Disposition": 'attachment; filename="usage.csv"',
};

const day = z.iso.date().refine((date) => date >= "1970-01-01", "must be 1970-01-01 or later");

/** Runs of one request. */
const MAX_RUNS = 100;

const days = {
  from: day.optional().describe("First day, in UTC; by default 30 days including the last."),
  to: day.optional().describe("Last day, in UTC; by default today."),
};

const query = z.strictObject({
  group_by: z
    .string()
    .default("day")
    .transform((text) => text.split(","))
    .pipe(
      z
        .array(z.enum(USAGE_GROUPS))
        .refine((groups) => new Set(groups).size === groups.length, "contains a value twice"),
    )
    .describe("day, agent, model or team; several, separated by commas, return a row for each combination."),
  ...days,
  format: z.enum(["json", "csv"]).optional().describe("csv, like Accept: text/csv, returns a table."),
});

const priceQuery = z.strictObject({
  ...days,
  agent_id: givenId.optional().describe("Only calls of this agent, also in teams."),
  team_id: givenId.optional().describe("Only calls of this team."),
  run_id: z.array(givenId).max(MAX_RUNS).optional().describe(`Only calls of these runs; up to ${MAX_RUNS} times.`),
});

const sum = {
  calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  cached_tokens: z.int().describe("The prompt tokens that providers read from their caches."),
  cache_write_tokens: z.int().describe("The prompt tokens that providers wrote to their caches."),
  reasoning_tokens: z.int().describe("The completion tokens of reasoning."),
  cost_usd: z.number(),
  interrupted_calls: z.int().describe("Calls that were cut, cancelled or lost in a crash; `calls` are the others."),
  worst_case_tokens: z.int().describe("What was not reported of calls, at worst; budgets count it as used."),
  worst_case_cost_usd: z.number().describe("The cost of `worst_case_tokens`, which `cost_usd` does not contain."),
};

const report = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    group_by: z.array(z.enum(USAGE_GROUPS)),
    rows: z.array(
      z.strictObject({
        day: z.iso.date().optional(),
        agent_id: z.uuid().nullable().optional(),
        agent_name: z.string().nullable().optional(),
        provider: z.string().optional(),
        model: z.string().optional(),
        team_id: z.uuid().nullable().optional(),
        team_name: z.string().nullable().optional(),
        ...sum,
      }),
    ),
    total: z.strictObject(sum),
    budgets: z
      .array(budgetRecord)
      .describe("The newest 200 budgets with their current use, without those of single runs."),
  })
  .meta({ id: "Usage" });

const priced = z.strictObject({ from: z.iso.date(), to: z.iso.date(), ...whatIf.shape }).meta({ id: "PricedUsage" });

/** Adds /console/api/usage: the usage of a workspace's agents and its cost. */
export default function addUsage(api: Api): void {
  addPath(api, "/console/api/usage", { tag: "Usage", endpoints: [read] });
  addPath(api, "/console/api/usage/what-if", { tag: "Usage", endpoints: [price] });
}

const read = endpoint({
  method: "get",
  operationId: "getUsage",
  summary: "Sum up tokens and cost by day, agent, model and team; as JSON or CSV",
  query,
  success: { status: 200, schema: report },
  async handle({ c, workspace, query }) {
    const { group_by: groups, format = asked(c), ...days } = query;
    const range = fillIn(days);
    const found = await reportUsage(workspace, { ...range, groups });
    if (format === "csv") return c.body(usageCsv(groups, found.rows), 200, CSV_HEADERS);
    const columns = usageColumns(groups);
    const rows = found.rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    const budgets = await listPage(workspace, { of: "budget", limit: SHOWN_BUDGETS });
    const shown: unknown = JSON.parse(`[${budgets.items}]`);
    return respondValue(c, { ...range, group_by: groups, rows, total: found.total, budgets: shown });
  },
});

const price = endpoint({
  method: "get",
  operationId: "priceUsage",
  summary: "Price recorded tokens with every model of the catalogue: what they would have cost",
  query: priceQuery,
  success: { status: 200, schema: priced },
  async handle({ c, workspace, query }) {
    const { agent_id: agentId, team_id: teamId, run_id: runIds, ...days } = query;
    const range = fillIn(days);
    return respondValue(c, { ...range, ...(await priceCalls(workspace, { ...range, agentId, teamId, runIds })) });
  },
});

function asked(c: HttpContext): "json" | "csv" {
  return c.req.header("Accept")?.includes("text/csv") === true ? "csv" : "json";
}

/** @throws AppError `bad_request` when the last day is before the first. */
function fillIn(days: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = days.to ?? dateOf(Date.now());
  const from = days.from ?? dateOf(Math.max(0, Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS));
  if (from <= to) return { from, to };
  throw invalid("query", [{ path: "from", message: `must not be after to (${to})` }]);
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
