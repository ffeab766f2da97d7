import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, count, exactCost, plural } from "../../lib/format.ts";
import { stateOf } from "../../lib/run-state.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import { StopRuns } from "../runs/stop-runs.tsx";
import type { Worker } from "../runs/stop-all.ts";
import type { RunRow } from "../records/run-row.ts";
import type { useStartedRuns } from "./queries.ts";

/** What spends now: the agents and teams that have started runs, the most expensive first, each with a way to stop it. */
export function RunningNow({ query }: { readonly query: ReturnType<typeof useStartedRuns> }) {
  return (
    <Section title="Running now">
      <QueryPart query={query}>{({ items, hasMore }) => <Spenders runs={items} hasMore={hasMore} />}</QueryPart>
    </Section>
  );
}

function Spenders({ runs, hasMore }: { readonly runs: readonly RunRow[]; readonly hasMore: boolean }) {
  const spenders = spendersOf(runs);
  return (
    <>
      {hasMore && (
        <p className="py-2 text-small text-ink-3">The {count(runs.length)} most expensive runs; there are more.</p>
      )}
      {spenders.length === 0 && <SectionEmpty>Nothing runs now.</SectionEmpty>}
      <ul>
        {spenders.map((spender) => (
          <SpenderRow key={spender.worker.id} {...spender} />
        ))}
      </ul>
    </>
  );
}

/** An agent or a team with its started runs. */
interface Spender {
  readonly worker: Worker;
  readonly running: number;
  readonly waiting: number;
  readonly spent: number;
}

function SpenderRow({ worker, running, waiting, spent }: Spender) {
  const { slug } = useWorkspace();
  const filter = worker.kind === "agent" ? { agent: [worker.id] } : { team: [worker.id] };
  const counts = [
    ...(running > 0 ? [plural(running, "run")] : []),
    ...(waiting > 0 ? [`${waiting} ${waiting === 1 ? "needs" : "need"} an answer`] : []),
  ];
  return (
    <SectionRow
      end={
        <span className="flex items-center gap-3">
          <span className="w-16 text-ink max-xs:w-auto" title={exactCost(spent)}>
            {cost(spent)}
          </span>
          <span className="relative z-10">
            <StopRuns worker={worker} isNamed />
          </span>
        </span>
      }
    >
      <span className="flex min-w-0 flex-1 justify-between gap-x-3 max-sm:flex-col">
        <Link
          to="/w/$workspace/runs"
          params={{ workspace: slug }}
          search={{ ...filter, status: ["running", "waiting_for_input"] }}
          className={ROW_LINK}
          dir="auto"
        >
          {visibleText(worker.name)}
        </Link>
        <span className="shrink-0 text-ink-2 max-sm:text-small">{counts.join(", ")}</span>
      </span>
    </SectionRow>
  );
}

function spendersOf(rows: readonly RunRow[]): readonly Spender[] {
  const byWorker = Map.groupBy(rows, ({ agent, team }) => agent?.id ?? team?.id);
  return [...byWorker.values()].flatMap((runs) => {
    const worker = runs[0] && workerOf(runs[0]);
    if (worker === undefined) return [];
    const waiting = runs.filter((row) => stateOf(row) === "waiting").length;
    const spent = runs.reduce((sum, run) => sum + run.cost_usd, 0);
    return [{ worker, waiting, running: runs.length - waiting, spent }];
  });
}

function workerOf({ agent, team }: RunRow): Worker | undefined {
  if (agent !== null) return { kind: "agent", ...agent };
  return team === null ? undefined : { kind: "team", ...team };
}
