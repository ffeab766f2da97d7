import { useBudgets } from "../usage/queries.ts";
import { BudgetList } from "../usage/budget-list.tsx";
import { useApiCalls } from "../api-drawer/calls.ts";
import { giveTaskCall } from "../tasks/give-task-call.ts";
import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Section, SectionEmpty } from "../../ui/section.tsx";
import { ErrorState, LoadingRows } from "../../ui/states.tsx";
import { Figures } from "./figures.tsx";
import { LastDays } from "./plots.tsx";
import { overviewPath, useOverview, useRunningNow } from "./queries.ts";
import { FailedLately, FailingDestinations, NextSchedules, QuestionsDue, RunningNow } from "./sections.tsx";

/** What runs, what needs a person, and what it costs. */
export function Home() {
  const days = useOverview("day");
  const hours = useOverview("hour");
  const budgets = useBudgets();
  const running = useRunningNow();
  useApiCalls([
    { title: "Read the overview", method: "GET", path: overviewPath("day"), command: "status" },
    { title: "List budgets", method: "GET", path: "/console/api/budgets", command: "budgets list" },
    giveTaskCall(days.data?.agents[0]?.id),
  ]);
  const error = days.error ?? hours.error;
  // They come together, so that none moves the ones below it.
  const isLoading = budgets.isPending || running.isPending;
  if (days.data === undefined || hours.data === undefined || isLoading) {
    return (
      <Page title="Home">
        {error === null ? (
          <LoadingRows />
        ) : (
          <ErrorState error={error} onRetry={() => void Promise.all([days.refetch(), hours.refetch()])} />
        )}
      </Page>
    );
  }
  const { now } = days.data;
  return (
    <Page title="Home" actions={<NewTaskButton />}>
      <div className="mx-auto flex w-full max-w-[75rem] flex-col gap-8 p-6 max-sm:p-4">
        <Figures now={now} hours={hours.data} days={days.data} />
        <div className="grid grid-cols-2 gap-x-8 gap-y-6 max-md:grid-cols-1">
          <QuestionsDue questions={now.questions} />
          <RunningNow />
          <FailedLately codes={hours.data.error_codes} />
          <Section title="Spend against caps">
            {budgets.data === undefined ? null : budgets.data.length === 0 ? (
              <SectionEmpty>No budget caps what is spent.</SectionEmpty>
            ) : (
              <BudgetList budgets={budgets.data.slice(0, 4)} />
            )}
          </Section>
          <FailingDestinations routes={now.routes} />
          <NextSchedules fires={now.fires} />
        </div>
        <LastDays days={days.data} />
      </div>
    </Page>
  );
}
