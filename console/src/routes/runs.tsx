import { Link, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { FilterBar } from "../features/runs/filter-bar.tsx";
import { runsPath, useRuns } from "../features/runs/queries.ts";
import { RunTable } from "../features/runs/run-table.tsx";
import { isFiltered } from "../features/runs/search.ts";
import { useHeldRows } from "../features/runs/use-held-rows.ts";
import { NewTaskButton } from "../features/tasks/new-task-button.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, ErrorState, LoadingRows } from "../ui/states.tsx";

const CREATE = {
  title: "Give a task",
  method: "POST",
  path: "/functions/v1/api-tasks",
  body: { title: "Say hello", assigned_agent_id: "<agent id>" },
  command: 'tasks create --agent <agent> --title "Say hello" --watch',
} as const;

/** All work: tasks, and team runs that were started without one. */
export function RunsPage() {
  const search = useSearch({ from: "/w/$workspace/runs" });
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useRuns(search);
  const all = data?.pages.flatMap(({ items }) => items) ?? [];
  const { rows, news, showNews } = useHeldRows(all, JSON.stringify(search), data !== undefined && !isPlaceholderData);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useApiCalls([{ title: "List runs", method: "GET", path: runsPath(search), command: "tasks list" }, CREATE]);

  return (
    <Page title="Runs" actions={<NewTaskButton />}>
      <FilterBar search={search} />
      {news > 0 && (
        <div className="sticky top-16 z-10 flex h-0 justify-center">
          <Button size="small" className="mt-2 rounded-full shadow-float" onClick={showNews}>
            {news} new
          </Button>
        </div>
      )}
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows />
      ) : rows.length === 0 ? (
        <NoRuns isFiltered={isFiltered(search)} />
      ) : (
        <RunTable rows={rows} isStale={isPlaceholderData} onEnd={onEnd} />
      )}
    </Page>
  );
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
      command={`curl -s ${location.origin}/functions/v1/api-tasks \\\n  -H "X-API-Key: $MUSTER_API_KEY" \\\n  -d '{"title":"Say hello","assigned_agent_id":"<agent id>"}'`}
    >
      A run is the work of an agent or a team on one task. Give the first one.
    </Empty>
  );
}
