import { Link, useSearch } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { queryClient } from "../api/query-client.ts";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { FilterBar } from "../features/runs/filter-bar.tsx";
import { runsPath, runsQuery, useRuns } from "../features/runs/queries.ts";
import { RunTable } from "../features/runs/run-table.tsx";
import { isFiltered, readRunsSearch } from "../features/runs/search.ts";
import type { RunsSearch } from "../features/runs/search.ts";
import type { RunRow } from "../features/records/run-row.ts";
import { useSelection } from "../features/runs/selection.ts";
import { useHeldRows } from "../features/runs/use-held-rows.ts";
import { giveTaskCall } from "../features/tasks/give-task-call.ts";
import { NewTaskButton } from "../features/tasks/new-task-button.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Empty, ErrorState, LoadingRows } from "../ui/states.tsx";
import { VanishingButton } from "../ui/vanishing-button.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { loadPart } from "../lib/load-part.ts";

const SelectionBar = lazy(() => loadPart(() => import("../features/runs/selection-bar.tsx")));

/** Requests the first rows as soon as the code of the screen is loaded, before it renders. */
export function prefetchRuns(search: RunsSearch): void {
  void queryClient.prefetchInfiniteQuery(runsQuery(search));
}

const NO_ROWS: readonly RunRow[] = [];

/** All work: tasks, and team runs that were started without one. */
export function RunsPage() {
  // Without the parameters of the shell, such as an open dialog.
  const search = readRunsSearch(useSearch({ from: "/w/$workspace/runs" }));
  const list = useRuns(search);
  const key = JSON.stringify(search);
  const { rows, news, showNews } = useHeldRows(list.rows ?? NO_ROWS, key, list.rows !== undefined && !list.isStale);
  const selection = useSelection(rows, key);
  useApiCalls([
    { title: "List runs", method: "GET", path: runsPath(search), command: listCommand(search) },
    giveTaskCall(rows.find(({ agent }) => agent !== null)?.agent?.id),
  ]);

  return (
    <Page title="Runs" actions={<NewTaskButton />} below={<Views search={search} />}>
      <FilterBar search={search} />
      {selection.rows.length > 0 && (
        <Suspense>
          <SelectionBar selection={selection} search={search} hasOthers={list.hasOthers} />
        </Suspense>
      )}
      {news > 0 && (
        <div className="sticky top-16 z-10 flex h-0 justify-center">
          <VanishingButton size="small" className="mt-2 rounded-full shadow-float" onClick={showNews}>
            {news} new
          </VanishingButton>
        </div>
      )}
      {list.error !== null && list.rows === undefined ? (
        <ErrorState error={list.error} onRetry={list.refetch} />
      ) : list.rows === undefined || (rows.length === 0 && list.isStale) ? (
        <LoadingRows />
      ) : rows.length === 0 ? (
        <NoRuns isFiltered={isFiltered(search)} />
      ) : (
        <RunTable
          rows={rows}
          dropped={list.dropped}
          selection={selection}
          isStale={list.isStale}
          onStart={list.onStart}
          onEnd={list.onEnd}
        />
      )}
    </Page>
  );
}

/** The command lists tasks by one status; it has no other filter. */
function listCommand({ status = [] }: RunsSearch): string {
  return status.length === 1 ? `tasks list --status ${status.join()}` : "tasks list";
}

/** The lists that people open most, each a filter. */
const VIEWS: readonly { readonly label: string; readonly status?: RunsSearch["status"] }[] = [
  { label: "All" },
  { label: "Running", status: ["running"] },
  { label: "Needs an answer", status: ["waiting_for_input"] },
  { label: "Failed", status: ["failed"] },
];

function Views({ search }: { readonly search: RunsSearch }) {
  const { slug } = useWorkspace();
  const tabs = VIEWS.map(({ label, status }) => ({
    key: status?.join() ?? "",
    label,
    link: {
      to: "/w/$workspace/runs" as const,
      params: { workspace: slug },
      search: { ...search, status },
    },
  }));
  return <Tabs label="Lists of runs" tabs={tabs} current={search.status?.join() ?? ""} />;
}

function NoRuns({ isFiltered: hasFilters }: { readonly isFiltered: boolean }) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("member");
  if (hasFilters) {
    return (
      <Empty
        title="No run matches these filters"
        action={
          <Link to="/w/$workspace/runs" params={{ workspace: slug }} className={buttonClass()}>
            Clear filters
          </Link>
        }
      />
    );
  }
  return (
    <Empty
      title="No runs yet"
      action={blockedBy === undefined ? <NewTaskButton /> : undefined}
      command={curlLine("/functions/v1/api-tasks", { title: "Say hello", assigned_agent_id: "<agent id>" })}
    >
      A run is the work of an agent or a team on one task. Give the first one.
    </Empty>
  );
}
