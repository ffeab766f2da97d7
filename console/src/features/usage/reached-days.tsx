import { plural } from "../../lib/format.ts";
import { useUsage } from "./queries.ts";
import type { Budget, Usage } from "./queries.ts";

const DAYS = 30;

/** "Use reached this cap on 2 of the last 30 days", for a budget per day; today counts. */
export function ReachedDays({ budget }: { readonly budget: Budget }) {
  const { data: usage } = useUsage(budget.scope === "team" ? "team" : "agent", DAYS);
  if (usage === undefined) return null;
  const days = countReachedDays(usage.rows, budget);
  return (
    <p className="text-small text-ink-3">
      Use reached this cap on {days === 0 ? "none" : days} of the last {plural(DAYS, "day")}.
    </p>
  );
}

/** On how many days the use of the budget's target was at least one of its caps. */
function countReachedDays(rows: Usage["rows"], { scope, target_id: id, max_usd: usd, max_tokens: tokens }: Budget) {
  const sums = new Map<string, { usd: number; tokens: number }>();
  for (const row of rows) {
    if (row.day === undefined || (scope === "agent" && row.agent_id !== id) || (scope === "team" && row.team_id !== id))
      continue;
    const sum = sums.get(row.day) ?? { usd: 0, tokens: 0 };
    sums.set(row.day, { usd: sum.usd + row.cost_usd, tokens: sum.tokens + row.total_tokens });
  }
  const isReached = (sum: { usd: number; tokens: number }) =>
    (usd !== null && sum.usd >= usd) || (tokens !== null && sum.tokens >= tokens);
  return [...sums.values()].filter(isReached).length;
}
