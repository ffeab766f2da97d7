import { budgetCreate, budgetPatch } from "#domain/budgets/budget.ts";
import { createBudget, deleteBudget, updateBudget } from "../../budgets/budgets.ts";
import { defineResourceKind, oneByOne, pick, readAll, written } from "../resource-kind.ts";

const FIELDS = Object.keys(budgetCreate.shape);
const KEY = ["scope", "target_id", "period"];
/** Those of runs and of pages belong to what no file describes. */
const SCOPES: ReadonlySet<unknown> = new Set(["workspace", "agent", "team"]);

const schema = budgetCreate.refine(({ scope }) => SCOPES.has(scope), {
  path: ["scope"],
  error: "must be workspace, agent or team in a file",
});

/** Budgets of the workspace, of agents and of teams; a budget is known by its target and its period. */
export const budgets = defineResourceKind({
  resource: "budget",
  folder: "budgets",
  schema,
  listed: "budget",
  defaults: { max_usd: null, max_tokens: null, on_breach: "stop", target_id: null },
  fixed: KEY,
  read: async (workspace) => (await readAll(workspace, "budget")).filter(({ record }) => SCOPES.has(record["scope"])),
  referencesIn: ({ scope }) => [{ at: "target_id", to: scope === "team" ? "team" : "agent" }],
  usualIn: () => ({ period: "day" }),
  // The target of the workspace's own budget goes without saying.
  fieldsOf: (record) => ({
    ...pick(record, FIELDS),
    target_id: record["scope"] === "workspace" ? null : record["target_id"],
  }),
  nameOf: ({ scope, target_id: target, period = "day" }) =>
    [scope, ...(target == null ? [] : [target]), "per", period].join(" "),
  begin: written({
    create: budgetCreate,
    patch: budgetPatch,
    add: (workspace, fields) => createBudget(workspace, fields),
    change: (workspace, id, patch) => updateBudget(workspace, { id, patch }),
  }),
  remove: oneByOne(deleteBudget),
});
