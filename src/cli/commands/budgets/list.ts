import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import type { Budget } from "../../records.ts";
import { openSession } from "../../session.ts";
import { formatCost } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List the budgets of your workspace and how they stand; those of single runs with --target.",
  args: {
    target: { type: "string", valueHint: "id", description: "Only those of this agent, team, task or team run" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const { api, out } = openSession(args);
    const limit = parseCount("limit", args.limit);
    const { items } = await api.listBudgets({ limit, targetId: args.target });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("There is no budget yet. Make one: muster budgets set workspace --usd 10");
    else {
      const headings = ["ID", "OF", "PERIOD", "USED", "RESERVED", "CAP", "ON BREACH"];
      tableLines(headings, items.map(cells)).forEach((line) => out.line(line));
    }
    return EXIT.ok;
  },
});

function cells(budget: Budget): string[] {
  const { id, scope, target_name, target_id, period, max_usd, max_tokens, on_breach, window } = budget;
  const shown = (usd: number | null, tokens: number | null) =>
    [max_usd === null || usd === null ? [] : formatCost(usd), max_tokens === null ? [] : `${tokens} tokens`]
      .flat()
      .join(", ");
  return [
    id,
    scope === "workspace" ? scope : `${scope} ${target_name ?? target_id}`,
    period,
    window === null ? "" : shown(window.used_usd, window.used_tokens),
    window === null ? "" : shown(window.reserved_usd, window.reserved_tokens),
    window === null ? shown(max_usd, max_tokens) : shown(window.cap_usd, window.cap_tokens),
    on_breach,
  ];
}
