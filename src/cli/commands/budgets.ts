import type { MusterClient, Schemas } from "#client/index.ts";
import { CONNECTION, parseNumber } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatCost } from "../terminal/format.ts";
import { BREACH_ACTIONS, BUDGET_PERIODS, BUDGET_SCOPES } from "#domain/budgets/budget.ts";
import type { BudgetScope } from "#domain/budgets/budget.ts";

const list = defineList({
  summary: "List budgets and their use; those of single runs with --target",
  args: {
    target: { type: "string", valueHint: "id", description: "Only budgets of this agent, team, task or team run" },
  },
  read: (muster, { target, limit }) => muster.listBudgets({ target_id: target, limit }),
  none: ({ target }) => noneYet("budget", target),
  row: rowOf,
});

const set = defineCommand({
  summary: "Create or change a budget of the workspace, an agent, a team or a run",
  args: {
    scope: { type: "positional", description: BUDGET_SCOPES.join(", ") },
    target: {
      type: "positional",
      required: false,
      description: "The agent, team or page (id or exact name), or the id of the task or team run",
    },
    usd: { type: "string", valueHint: "amount", description: "Limit in USD ('none' removes it)" },
    tokens: { type: "string", valueHint: "count", description: "Limit in tokens ('none' removes it)" },
    period: { type: "enum", options: [...BUDGET_PERIODS], description: "Period (default: day; run for a run)" },
    "on-breach": { type: "enum", options: [...BREACH_ACTIONS], description: "stop (default) or ask" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const scope = BUDGET_SCOPES.find((one) => one === args.scope);
    if (scope === undefined) throw new UsageError(`A budget is for ${BUDGET_SCOPES.join(", ")}, not "${args.scope}".`);
    const targetId = await resolveTarget(muster, scope, args.target);
    const period = args.period ?? (scope === "run" ? "run" : "day");
    const caps = {
      max_usd: parseCap("usd", args.usd),
      max_tokens: parseCap("tokens", args.tokens),
      on_breach: args["on-breach"],
    };
    const { items } = await listUpTo(Infinity, (size) =>
      muster.listBudgets({ ...(targetId && { target_id: targetId }), limit: size }),
    );
    const known = items.find((budget) => budget.scope === scope && budget.period === period);
    if (known === undefined && caps.max_usd == null && caps.max_tokens == null) {
      throw new UsageError("Give a limit: --usd, --tokens, or both.");
    }
    const saved =
      known === undefined
        ? await muster.createBudget({ scope, target_id: targetId, period, ...caps })
        : await muster.updateBudget({ id: known.id }, caps);
    if (args.json) out.json(saved);
    else out.line(`${known === undefined ? "Created" : "Updated"} budget ${saved.id}`);
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "budget",
  effect: "Its counters are deleted too.",
  remove: (muster, id) => muster.deleteBudget({ id }),
});

/** `muster budgets …` */
export default defineGroup("Manage budgets", {
  list,
  set,
  delete: remove,
});

function rowOf(budget: Schemas["Budget"]) {
  const { id, scope, target_name, target_id, period, max_usd, max_tokens, on_breach, window } = budget;
  const shown = (usd: number | null, tokens: number | null) =>
    [max_usd === null || usd === null ? [] : formatCost(usd), max_tokens === null ? [] : `${tokens} tokens`]
      .flat()
      .join(", ");
  return {
    ID: id,
    OF: scope === "workspace" ? scope : `${scope} ${target_name ?? target_id}`,
    PERIOD: period,
    USED: window === null ? "" : shown(window.used_usd, window.used_tokens),
    RESERVED: window === null ? "" : shown(window.reserved_usd, window.reserved_tokens),
    CAP: window === null ? shown(max_usd, max_tokens) : shown(window.cap_usd, window.cap_tokens),
    "ON BREACH": on_breach,
  };
}
async function resolveTarget(
  muster: MusterClient,
  scope: BudgetScope,
  target: string | undefined,
): Promise<string | undefined> {
  if (scope === "workspace") {
    if (target !== undefined) throw new UsageError("The workspace's budget has no target.");
    return undefined;
  }
  if (target === undefined) throw new UsageError(`Name the ${scope}: muster budgets set ${scope} … --usd 1`);
  if (scope === "agent") return resolveId(muster, "agent", target);
  if (scope === "page") return resolveId(muster, "page", target);
  return scope === "team" ? resolveId(muster, "team", target) : target;
}

function parseCap(option: string, value: string | undefined): number | null | undefined {
  return value === "none" ? null : parseNumber(option, value);
}
