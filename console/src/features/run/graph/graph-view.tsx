import { Suspense, lazy } from "react";
import { loadPart } from "../../../lib/load-part.ts";
import { LoadingRows } from "../../../ui/states.tsx";
import type { RunHead, Steps } from "../../records/run-head.ts";
import type { RunSearch } from "../search.ts";

const RunGraph = lazy(() => loadPart(async () => ({ default: (await import("./run-graph.tsx")).RunGraph })));

/** The graph of the team that did the run; nothing for an agent's. */
export function GraphView({
  head: { team },
  steps,
  search,
  onSearch,
}: {
  readonly head: RunHead;
  readonly steps: Steps | undefined;
  readonly search: RunSearch;
  readonly onSearch: (change: { readonly step: string; readonly tab: undefined }) => void;
}) {
  if (team === null || steps === undefined) return <LoadingRows />;
  return (
    <Suspense fallback={<LoadingRows />}>
      <RunGraph
        teamId={team.id}
        rows={steps.rows}
        selected={search.step}
        onOpen={(step) => onSearch({ step, tab: undefined })}
      />
    </Suspense>
  );
}
