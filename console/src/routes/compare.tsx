import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useApiCalls } from "../lib/api-calls.ts";
import { ChooseRuns } from "../features/compare/choose-runs.tsx";
import { HeadTable } from "../features/compare/head-table.tsx";
import { alignSteps, linesOf } from "../features/compare/model/align.ts";
import { PairList } from "../features/compare/pair-list.tsx";
import { PairView } from "../features/compare/pair-view.tsx";
import { useComparedRun } from "../features/compare/queries.ts";
import type { ComparedRun } from "../features/compare/queries.ts";
import { readCompareSearch, readRef } from "../features/records/comparison-search.ts";
import type { CompareSearch } from "../features/records/comparison-search.ts";
import { runPath } from "../features/records/run-path.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { QueryPart, both } from "../ui/query-part.tsx";
import { Empty } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

/** Two attempts, of one run or of two, step by step. */
export function ComparePage() {
  const search = readCompareSearch(useSearch({ from: "/w/$workspace/runs/compare" }));
  const [a, b] = [readRef(search.a), readRef(search.b)];
  const query = both(useComparedRun(a), useComparedRun(b));
  const isChosen = a !== undefined && b !== undefined;
  useApiCalls(
    [a, b].flatMap((ref) =>
      ref === undefined
        ? []
        : [
            { title: "Read a run", method: "GET", path: runPath(ref.id, "", { attempt: ref.attempt }) } as const,
            {
              title: "List its steps, with digests",
              method: "GET",
              path: runPath(ref.id, "/steps", { attempt: ref.attempt, digests: true }),
            } as const,
          ],
    ),
  );
  return (
    <Page
      title="Compare runs"
      above={<BackLink to="/w/$workspace/runs" label="Runs" />}
      actions={isChosen && <Swap search={search} />}
    >
      {!isChosen ? (
        <ChooseRuns search={search} />
      ) : (
        <QueryPart query={query} rows={8}>
          {([left, right]) => <Comparison a={left} b={right} search={search} />}
        </QueryPart>
      )}
    </Page>
  );
}

function Swap({ search }: { readonly search: CompareSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs/compare" });
  return (
    <Button
      onClick={() =>
        void navigate({
          search: (before) => ({ ...before, a: search.b, b: search.a, pair: undefined }),
        })
      }
    >
      Swap sides
    </Button>
  );
}

function Comparison({
  a,
  b,
  search,
}: {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly search: CompareSearch;
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs/compare" });
  const set = (change: { readonly [K in keyof CompareSearch]?: CompareSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const pairs = useMemo(() => alignSteps(a.rows, b.rows), [a.rows, b.rows]);
  const showsEqual = search.equal === "shown";
  const lines = linesOf(pairs, showsEqual);
  const isSame = pairs.length > 0 && pairs.every(({ isEqual }) => isEqual);
  return (
    <>
      <HeadTable a={a.head} b={b.head} />
      {isSame && <p className="border-b border-line px-page py-3 text-ink-2">All steps are the same.</p>}
      {pairs.length === 0 ? (
        <Empty title="No steps to compare">Neither of the two has recorded steps.</Empty>
      ) : (
        <PairList
          lines={lines}
          open={search.pair}
          onToggle={({ key }) => set({ pair: key === search.pair ? undefined : key })}
          onShowEqual={() => set({ equal: "shown" })}
        >
          {(pair) => <PairView pair={pair} heads={{ a: a.head, b: b.head }} search={search} />}
        </PairList>
      )}
      {showsEqual && (
        <div className="px-page py-3">
          <Button size="small" onClick={() => set({ equal: undefined })}>
            Fold equal steps
          </Button>
        </div>
      )}
    </>
  );
}
