import { useBudgets, useUsage } from "../usage/queries.ts";
import { BudgetList } from "../usage/budget-list.tsx";
import { useApiCalls } from "../../lib/api-calls.ts";
import { giveTaskCall } from "../tasks/give-task-call.ts";
import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Section, SectionEmpty } from "../../ui/section.tsx";
import { QueryPart, isFirstTry } from "../../ui/query-part.tsx";
import { LoadingRows } from "../../ui/states.tsx";
import { Figures } from "./figures.tsx";
import { FirstSteps, useFirstSteps } from "./first-steps.tsx";
import { LastDays } from "./plots.tsx";
import { overviewPath, useOverview, useRunningNow } from "./queries.ts";
import { ExpiringKeys } from "./expiring-keys.tsx";
import { LostAccounts } from "./lost-accounts.tsx";
import {
  FailedLately,
  FailingDestinations,
  FiringAlerts,
  NextSchedules,
  QuestionsDue,
  RunningNow,
} from "./sections.tsx";

/** The days of the plots. */
const DAYS = 14;

/** What runs, what needs a person, and what it costs. */
export function Home() {
  const days = useOverview("day");
  const hours = useOverview("hour");
  const budgets = useBudgets();
  const running = useRunningNow();
  const usage = useUsage("model", DAYS);
  const steps = useFirstSteps();
  useApiCalls([
    { title: "Read the overview", method: "GET", path: overviewPath("day"), command: "status" },
    { title: "List budgets", method: "GET", path: "/console/api/budgets", command: "budgets list" },
    giveTaskCall(days.data?.agents[0]?.id),
  ]);
  // They first come together, so that none moves the ones below it.
  const isFirstLoad =
    [days, hours, budgets, running, usage].some(isFirstTry) || (!steps.isHidden && isFirstTry(steps.query));
  if (isFirstLoad) {
    return (
      <Page title="Home">
        <LoadingRows />
      </Page>
    );
  }
  const now = days.data?.now;
  return (
    <Page title="Home" actions={<NewTaskButton />}>
      <div className="mx-auto flex w-full max-w-[75rem] flex-col gap-8 p-6 max-sm:p-4">
        {now !== undefined && <FiringAlerts alerts={now.alerts} />}
        <ExpiringKeys />
        <LostAccounts />
        <FirstSteps steps={steps} />
        <QueryPart query={bothOf(days, hours)}>{([day, hour]) => <Figures hours={hour} days={day} />}</QueryPart>
        <div className="grid grid-cols-2 gap-x-8 gap-y-6 max-md:grid-cols-1">
          {now !== undefined && <QuestionsDue questions={now.questions} />}
          <RunningNow query={running} />
          {hours.data !== undefined && <FailedLately codes={hours.data.error_codes} />}
          <Section title="Spend against caps">
            <QueryPart query={budgets}>
              {(all) =>
                all.length === 0 ? (
                  <SectionEmpty>No budgets yet.</SectionEmpty>
                ) : (
                  <BudgetList budgets={all.slice(0, 4)} />
                )
              }
            </QueryPart>
          </Section>
          {now !== undefined && <FailingDestinations routes={now.routes} />}
          {now !== undefined && <NextSchedules fires={now.fires} />}
        </div>
        {days.data !== undefined && <LastDays days={days.data} usage={usage} />}
      </div>
    </Page>
  );
}

/** Two periods of the overview as one query: its data once both have come, and the first error. */
function bothOf(days: OverviewQuery, hours: OverviewQuery) {
  const data = days.data && hours.data ? ([days.data, hours.data] as const) : undefined;
  return {
    data,
    error: days.error ?? hours.error,
    refetch: () =>
      void Promise.all([days, hours].filter(({ error }) => error !== null).map(({ refetch }) => refetch())),
  };
}

type OverviewQuery = ReturnType<typeof useOverview>;
