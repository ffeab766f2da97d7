import { USAGE_GROUPS, usageCsv } from "#domain/models/usage.ts";
import { defineRequest } from "../arguments/define-request.ts";
import type { UsageGroup } from "#domain/models/usage.ts";
import type { Schemas } from "#client/index.ts";
import { formatCost } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";

const HEADINGS: Readonly<Record<UsageGroup, string>> = { day: "DAY", agent: "AGENT", model: "MODEL", team: "TEAM" };

type Row = Schemas["Usage"]["rows"][number];

/** `muster usage` */
export default defineRequest({
  summary: "Show usage and cost",
  args: {
    by: { type: "enum", options: [...USAGE_GROUPS], default: "day", description: "Group by" },
    from: { type: "string", valueHint: "date", description: "First day (UTC), YYYY-MM-DD (default: 30 days ago)" },
    to: { type: "string", valueHint: "date", description: "Last day (UTC) (default: today)" },
    csv: { type: "boolean", description: "Print CSV" },
    "what-if": { type: "boolean", description: "What the calls would have cost with each model of the catalogue" },
  },
  send: async ({ muster }, { by, from, to, "what-if": whatIf }): Promise<Schemas["Usage"] | Schemas["PricedUsage"]> => {
    const days = { ...(from && { from }), ...(to && { to }) };
    return whatIf ? muster.priceUsage(days) : muster.getUsage({ group_by: by, ...days });
  },
  print({ out }, usage, { by, csv }) {
    if ("models" in usage) printPrices(out, usage);
    else if (csv) out.text(usageCsv([by], usage.rows));
    else if (usage.rows.length === 0) out.note(`Nothing was used from ${usage.from} to ${usage.to} (UTC).`);
    else {
      const rows = usage.rows.map((row) => [nameOf(by, row), ...figures(row)]);
      const headings = [HEADINGS[by], "CALLS", "PROMPT", "CACHED", "WRITTEN", "COMPLETION", "COST"];
      out.table(headings, [...rows, ["Total", ...figures(usage.total)]]);
      const uncounted = describeUncounted(usage.total);
      if (uncounted !== undefined) out.note(uncounted);
    }
  },
});

function printPrices(out: Output, { calls, cost_usd: spent, models }: Schemas["PricedUsage"]): void {
  const rows = models.map(({ provider, model, cost_usd: cost }) => [`${provider}/${model}`, formatCost(cost)]);
  out.table(["MODEL", "COST"], rows);
  out.note(`The tokens of ${calls === 1 ? "1 call, which" : `${calls} calls, which`} cost ${formatCost(spent)}.`);
}

function nameOf(by: UsageGroup, row: Row): string {
  switch (by) {
    case "day":
      return row.day ?? "";
    case "agent":
      return row.agent_name ?? row.agent_id ?? "(no agent)";
    case "model":
      return `${row.provider}/${row.model}`;
    case "team":
      return row.team_name ?? row.team_id ?? "(no team)";
  }
}

function figures(sum: Schemas["Usage"]["total"]): string[] {
  const {
    calls,
    prompt_tokens: sent,
    cached_tokens: cached,
    cache_write_tokens: written,
    completion_tokens: out,
  } = sum;
  return [...[calls, sent, cached, written, out].map(String), formatCost(sum.cost_usd)];
}

/** What calls used that their providers did not report; undefined when there is nothing. */
function describeUncounted(total: Schemas["Usage"]["total"]): string | undefined {
  const { interrupted_calls: calls, worst_case_tokens: tokens, worst_case_cost_usd: cost } = total;
  if (calls === 0 && tokens === 0) return undefined;
  const interrupted = calls === 0 ? "" : `${calls} more ${calls === 1 ? "call was" : "calls were"} interrupted. `;
  return `${interrupted}Not reported, counted at worst case: ${tokens} tokens, ${formatCost(cost)}.`;
}
