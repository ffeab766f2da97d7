import { useQueryClient } from "@tanstack/react-query";
import { Suspense, lazy, useState } from "react";
import { useBlockedBy } from "../../../api/use-session.ts";
import { cost, plural } from "../../../lib/format.ts";
import { loadPart } from "../../../lib/load-part.ts";
import { Button } from "../../../ui/button.tsx";
import type { RunHead } from "../../records/run-head.ts";

const BudgetDialog = lazy(() =>
  loadPart(async () => ({ default: (await import("../../usage/budget-dialog.tsx")).BudgetDialog })),
);

const SCOPES = { workspace: "Workspace", agent: "Agent", team: "Team", run: "This run", page: "Page" } as const;
const PERIODS = { run: "each run", day: "each day", month: "each month", total: "in total" } as const;

/** The caps that apply, each as a bar: used, reserved, free. */
export function RunBudgets({ budgets }: { readonly budgets: RunHead["budgets"] }) {
  const [changing, setChanging] = useState<RunHead["budgets"][number]>();
  const client = useQueryClient();
  const blockedBy = useBlockedBy("admin");
  return (
    <>
      {budgets.map((budget) => {
        const { id, scope, period, target_name: target } = budget;
        const { used, reserved, cap, amount } = countedBy(budget);
        return (
          <li key={id} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-x-4">
              <span>
                {SCOPES[scope]}
                {scope !== "run" && `${target === null ? "" : ` ${target}`}, ${PERIODS[period]}`}
              </span>
              <span className="ms-auto text-ink-2">
                {amount(used)}
                {reserved > 0 && ` + ${amount(reserved)} reserved`} of {amount(cap)}
              </span>
              <Button size="small" look="quiet" blockedBy={blockedBy} onClick={() => setChanging(budget)}>
                Change
              </Button>
            </span>
            {cap > 0 && (
              <span aria-hidden="true" className="flex h-1.5 overflow-hidden rounded-full bg-raised">
                <span className="bg-accent" style={{ width: `${(used / cap) * 100}%` }} />
                <span className="bg-accent/40" style={{ width: `${(reserved / cap) * 100}%` }} />
              </span>
            )}
          </li>
        );
      })}
      {changing !== undefined && (
        <Suspense>
          <BudgetDialog
            budget={changing}
            onClose={() => {
              setChanging(undefined);
              void client.invalidateQueries({ queryKey: ["run"] });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** What a budget counts: USD, or tokens if it has no limit in USD. */
function countedBy({ window, max_usd: usd, max_tokens: most }: RunHead["budgets"][number]) {
  const cap = window?.cap_usd ?? usd;
  if (cap !== null) return { used: window?.used_usd ?? 0, reserved: window?.reserved_usd ?? 0, cap, amount: cost };
  return {
    used: window?.used_tokens ?? 0,
    reserved: window?.reserved_tokens ?? 0,
    cap: window?.cap_tokens ?? most ?? 0,
    amount: (count: number) => plural(count, "token"),
  };
}
