import { formatCsv } from "#lib/text/csv.ts";

const COST_DECIMALS = 8;

/** The groups by which usage is summed up; several return a row for each combination. */
export const USAGE_GROUPS = ["day", "agent", "model", "team"] as const;

/** One of {@link USAGE_GROUPS}. */
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The usage: model calls, tokens, and their cost in USD. */
export interface UsageSum {
  readonly calls: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd: number;
  /** Calls that were interrupted; the fields above have what their providers had reported until then. */
  readonly interrupted_calls: number;
  /** The worst case of what was not reported, which budgets count as used. */
  readonly worst_case_tokens: number;
  readonly worst_case_cost_usd: number;
}

/** The fields that identify a row, by group; a deleted agent or team has no name. */
const GROUP_COLUMNS = {
  day: ["day"],
  agent: ["agent_id", "agent_name"],
  model: ["provider", "model"],
  team: ["team_id", "team_name"],
} as const satisfies Record<UsageGroup, readonly string[]>;

/** The fields of every row. */
const SUM_COLUMNS = [
  "calls",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "cached_tokens",
  "cache_write_tokens",
  "reasoning_tokens",
  "cost_usd",
  "interrupted_calls",
  "worst_case_tokens",
  "worst_case_cost_usd",
] as const;

/** Returns the fields of a row for these groups, in order. */
export function usageColumns(groups: readonly UsageGroup[]): readonly UsageColumn[] {
  return [...groups.flatMap((group) => [...GROUP_COLUMNS[group]]), ...SUM_COLUMNS];
}

/** A field of a row of usage. */
export type UsageColumn = (typeof GROUP_COLUMNS)[UsageGroup][number] | (typeof SUM_COLUMNS)[number];

/** Formats rows of usage as CSV; costs are decimals without exponent. */
export function usageCsv(
  groups: readonly UsageGroup[],
  rows: readonly (Readonly<Partial<Record<UsageColumn, string | number | null>>> & UsageSum)[],
): string {
  const columns = usageColumns(groups);
  const table = rows.map((row) => {
    const costs = { cost_usd: row.cost_usd, worst_case_cost_usd: row.worst_case_cost_usd };
    const decimals = Object.entries(costs).map(([column, cost]) => [column, cost.toFixed(COST_DECIMALS)]);
    const shown = { ...row, ...Object.fromEntries(decimals) };
    return columns.map((column) => shown[column] ?? null);
  });
  return formatCsv(columns, table);
}
