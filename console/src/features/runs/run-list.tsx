import type { ReactNode } from "react";
import { Empty, ErrorState, LoadingRows } from "../../ui/states.tsx";
import { useRuns } from "./queries.ts";
import { RunTable } from "./run-table.tsx";
import type { RunsSearch } from "./search.ts";

/** The runs with some filters, as a part of another screen. */
export function RunList({
  search,
  empty,
  action,
}: {
  readonly search: RunsSearch;
  /** The text where there are no rows, and what can be done then. */
  readonly empty: string;
  readonly action?: ReactNode;
}) {
  const { rows, dropped, error, isStale, refetch, onStart, onEnd } = useRuns(search);
  if (rows === undefined) return error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={refetch} />;
  if (rows.length === 0) {
    return (
      <Empty title="No runs yet" action={action}>
        {empty}
      </Empty>
    );
  }
  return <RunTable rows={rows} dropped={dropped} isStale={isStale} onStart={onStart} onEnd={onEnd} />;
}
