import { useCallback } from "react";
import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { useRuns } from "../runs/queries.ts";
import { RunTable } from "../runs/run-table.tsx";
import { Empty, ErrorState, LoadingRows } from "../../ui/states.tsx";
import type { Agent } from "./records.ts";

/** The work of an agent, newest first. */
export function AgentRuns({ agent }: { readonly agent: Agent }) {
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useRuns({
    agent: agent.id,
  });
  const rows = data?.pages.flatMap(({ items }) => items);
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (rows === undefined) {
    return error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (rows.length === 0) {
    return (
      <Empty title="No runs yet" action={<NewTaskButton />}>
        What this agent is given to do is listed here.
      </Empty>
    );
  }
  return <RunTable rows={rows} isStale={isPlaceholderData} onEnd={onEnd} />;
}
