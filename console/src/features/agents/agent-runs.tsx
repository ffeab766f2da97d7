import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { useRuns } from "../runs/queries.ts";
import { RunTable } from "../runs/run-table.tsx";
import { Empty, ErrorState, LoadingRows } from "../../ui/states.tsx";
import type { Agent } from "./records.ts";

/** The work of an agent, newest first. */
export function AgentRuns({ agent }: { readonly agent: Agent }) {
  const { rows, dropped, error, isStale, refetch, onStart, onEnd } = useRuns({ agent: [agent.id] });
  if (rows === undefined) return error === null ? <LoadingRows /> : <ErrorState error={error} onRetry={refetch} />;
  if (rows.length === 0) {
    return (
      <Empty title="No runs yet" action={<NewTaskButton />}>
        What this agent is given to do is listed here.
      </Empty>
    );
  }
  return <RunTable rows={rows} dropped={dropped} isStale={isStale} onStart={onStart} onEnd={onEnd} />;
}
