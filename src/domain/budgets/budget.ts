import { z } from "zod";

/** The subject whose spending a budget caps. */
export const BUDGET_SCOPES = ["workspace", "agent", "team", "run", "page"] as const;

/** The period over which spending is counted: each run separately, a day or a month in UTC, or the total. */
export const BUDGET_PERIODS = ["run", "day", "month", "total"] as const;

/** What happens to a run whose next call would exceed a budget. */
export const BREACH_ACTIONS = ["stop", "ask"] as const;

/** One of {@link BUDGET_SCOPES}. */
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** One of {@link BUDGET_PERIODS}. */
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

const usd = z.number().min(0).max(999_999);
const tokens = z.int().min(0);
const onBreach = z.enum(BREACH_ACTIONS).describe("stop ends the run; ask requests a person's approval to continue.");

const caps = {
  max_usd: usd.nullish().describe("The spending limit, in US dollars."),
  max_tokens: tokens.nullish().describe("The limit of prompt and completion tokens."),
};

const ONE_CAP = "max_usd or max_tokens is required";
const hasCap = (budget: {
  readonly max_usd?: number | null | undefined;
  readonly max_tokens?: number | null | undefined;
}) => budget.max_usd != null || budget.max_tokens != null;

/** The cap of a single run, as it is sent with the task or run. */
export const runBudget = z
  .strictObject({ ...caps, on_breach: onBreach.default("stop") })
  .refine(hasCap, ONE_CAP)
  .describe("Caps the spending of each attempt of this run.");

/** A cap of a single run, validated. */
export type RunBudget = z.output<typeof runBudget>;

/** The body of POST /console/api/budgets. */
export const budgetCreate = z
  .strictObject({
    scope: z.enum(BUDGET_SCOPES),
    target_id: z
      .guid()
      .nullish()
      .describe("The agent, the team, the task or team run, or the page; absent for the workspace."),
    period: z
      .enum(BUDGET_PERIODS)
      .optional()
      .describe(
        "Default: day. run caps each run of the workspace, agent or team separately; for a single run, it must be run.",
      ),
    ...caps,
    on_breach: onBreach.default("stop"),
  })
  .superRefine((budget, context) => {
    if (!hasCap(budget)) context.addIssue({ code: "custom", message: ONE_CAP });
    if (budget.scope !== "workspace" && budget.target_id == null) {
      context.addIssue({ code: "custom", path: ["target_id"], message: `is required for the scope ${budget.scope}` });
    }
    if (budget.scope === "run" && (budget.period ?? "run") !== "run") {
      context.addIssue({ code: "custom", path: ["period"], message: "must be run for the scope run" });
    }
  });

/** A budget to create, validated. */
export type BudgetCreate = z.output<typeof budgetCreate>;

/** The body of PATCH /console/api/budgets/{id}. */
export const budgetPatch = z
  .strictObject({ ...caps, on_breach: onBreach.optional() })
  .describe("The fields to change; null removes a cap. Past spending still counts.");

/** Changes to a budget, validated. */
export type BudgetPatch = z.output<typeof budgetPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const BUDGET_READ_ONLY = [
  "id",
  "workspace_id",
  "target_name",
  "window",
  "created_by",
  "created_at",
  "updated_at",
];
