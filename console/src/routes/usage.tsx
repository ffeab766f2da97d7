import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { BudgetDialog } from "../features/usage/budget-dialog.tsx";
import { BudgetList } from "../features/usage/budget-list.tsx";
import { ExpensiveRuns } from "../features/usage/expensive-runs.tsx";
import { usagePath, useBudgets, useExpensiveRuns, useStartedRuns, useUsage } from "../features/usage/queries.ts";
import { readUsageSearch } from "../features/usage/search.ts";
import { RunningNow } from "../features/usage/running-now.tsx";
import { Unpriced } from "../features/usage/unpriced.tsx";
import { WhatIf } from "../features/usage/what-if.tsx";
import { PauseSwitch } from "../features/workspace/pause-switch.tsx";
import { UsageReport } from "../features/usage/usage-report.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.ts";
import { Page } from "../ui/page.tsx";
import { Section, SectionEmpty } from "../ui/section.tsx";
import { QueryPart, isFirstTry } from "../ui/query-part.tsx";
import { LoadingRows } from "../ui/states.tsx";

const CREATE = {
  title: "Create a budget",
  method: "POST",
  path: "/console/api/budgets",
  body: { scope: "workspace", period: "day", max_usd: 20 },
  command: "budgets set workspace --usd 20",
} as const;

/** What is spent, against which caps, and by what. */
export function UsagePage() {
  const search = readUsageSearch(useSearch({ from: "/w/$workspace/usage" }));
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("admin");
  const days = Number(search.days ?? "30");
  const budgets = useBudgets();
  const usage = useUsage(search.by ?? "agent", days);
  const models = useUsage("model", days);
  const expensive = useExpensiveRuns(days);
  const started = useStartedRuns();
  // The rows determine the height of each part: they first come together, so that none moves the parts below it.
  const isFirstLoad = [budgets, usage, models, expensive, started].some(isFirstTry);
  useApiCalls([
    {
      title: "Sum up usage",
      method: "GET",
      path: usagePath(search.by ?? "agent", days),
      command: "usage --by day,agent",
    },
    CREATE,
  ]);
  const edited = budgets.data?.find(({ id }) => id === search.budget);
  const close = () => void navigate({ to: ".", search: (before) => ({ ...before, budget: undefined }) });
  return (
    <Page
      title="Usage"
      actions={
        <>
          <PauseSwitch />
          <NewBudget />
        </>
      }
    >
      <div className="mx-auto flex w-full max-w-[75rem] flex-col gap-8 p-6 max-sm:p-4">
        {isFirstLoad ? (
          <LoadingRows rows={12} />
        ) : (
          <>
            <Budgets query={budgets} />
            <RunningNow query={started} />
            <Unpriced usage={models.data} />
            <UsageReport search={search} query={usage} />
            <ExpensiveRuns query={expensive} />
            <WhatIf days={days} />
          </>
        )}
      </div>
      {blockedBy === undefined && search.budget === "new" && <BudgetDialog onClose={close} />}
      {blockedBy === undefined && edited !== undefined && (
        <BudgetDialog key={edited.id} budget={edited} onClose={close} />
      )}
    </Page>
  );
}

function Budgets({ query }: { readonly query: ReturnType<typeof useBudgets> }) {
  return (
    <Section title="Budgets">
      <QueryPart query={query}>
        {(budgets) =>
          budgets.length === 0 ? (
            <SectionEmpty>No budgets yet. A budget stops a run, or asks a person, before it spends more.</SectionEmpty>
          ) : (
            <BudgetList budgets={budgets} />
          )
        }
      </QueryPart>
    </Section>
  );
}

function NewBudget() {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  if (blockedBy !== undefined) {
    return (
      <Button look="primary" icon={PlusIcon} blockedBy={blockedBy}>
        New budget
      </Button>
    );
  }
  return (
    <Link
      to="/w/$workspace/usage"
      params={{ workspace: slug }}
      search={(before) => ({ ...before, budget: "new" })}
      className={buttonClass({ look: "primary" })}
    >
      <PlusIcon className="-ms-0.5" />
      New budget
    </Link>
  );
}
