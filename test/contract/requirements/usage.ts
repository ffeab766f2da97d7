import type { Requirements } from "./requirement.ts";

/** Usage records. */
export const usage = {
  "usage.record.fields": {
    states:
      "A usage record has task_id, agent_id, provider, model, prompt_tokens, completion_tokens, estimated_cost_usd and billing_model.",
    source: "contract",
  },
  "usage.record.per-turn": {
    states: "Each turn of a task's model writes one record.",
    source: "decision",
  },
  "usage.record.per-team-step": {
    states: "Each step of a team run writes its records.",
    source: "decision",
  },
  "usage.record.embeddings": {
    states:
      "Each call that embeds texts writes one record: of its task, agent or team run, or else of the workspace alone.",
    source: "goal",
  },
  "usage.record.failed-runs": { states: "Failed runs also have usage records.", source: "decision" },
  "usage.record.once": { states: "A resumed run never writes a record twice.", source: "goal" },
  "usage.record.model-used": {
    states: "The record contains the model and provider that actually replied.",
    source: "goal",
  },
  "usage.cost.by-catalogue": {
    states: "The cost is the tokens times the catalogue's prices.",
    source: "decision",
  },
  "usage.billing.per-token": {
    states: "billing_model is per-token unless the endpoint is marked otherwise.",
    source: "decision",
  },
  "usage.billing.subscription-quota": {
    states: "billing_model is subscription-quota for endpoints marked so.",
    source: "decision",
  },
  "usage.task.sum": {
    states: "A task's usage is the sum of the records of its current attempt.",
    source: "decision",
  },
  "usage.interrupted": {
    states:
      "A call that was cut, cancelled or lost with its process is in the usage once: what was reported, and the worst case of the rest.",
    source: "goal",
  },
  "usage.report.groups": {
    states: "/console/api/usage sums calls, tokens and cost by day, agent, model, team, or several of them.",
    source: "goal",
  },
  "usage.report.days": {
    states: "from and to are days in UTC, both included; the default is the last 30 days.",
    source: "goal",
  },
  "usage.report.exact": { states: "Costs are summed as exact decimals.", source: "goal" },
  "usage.report.csv": { states: "Accept: text/csv or format=csv returns the report as CSV.", source: "goal" },
  "usage.report.refused": { states: "An invalid query is 400 and names the parameter.", source: "goal" },
  "usage.report.workspace": {
    states: "Every member may read the report; it contains the usage of one workspace only.",
    source: "goal",
  },
  "usage.prices.setting": {
    states: "MODEL_PRICES overrides the catalogue's prices of models.",
    source: "goal",
  },
  "usage.prices.checked": { states: "Invalid prices are rejected at start, with the field.", source: "goal" },
  "usage.listed": {
    states: "The table API lists usage records.",
    source: "contract",
  },
} as const satisfies Requirements<"usage">;
