import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, exactCost, tokens } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import { CancelRow } from "../runs/cancel-row.tsx";
import type { RunRow } from "../records/run-row.ts";
import type { useExpensiveRuns } from "./queries.ts";
import { visibleText } from "../../lib/visible-text.ts";

/** The runs of the last days that cost most. */
export function ExpensiveRuns({ query }: { readonly query: ReturnType<typeof useExpensiveRuns> }) {
  return (
    <Section title="Most expensive runs">
      <QueryPart query={query}>{({ items }) => <Rows rows={items} />}</QueryPart>
    </Section>
  );
}

function Rows({ rows }: { readonly rows: readonly RunRow[] }) {
  const { slug } = useWorkspace();
  return (
    <>
      {rows.length === 0 && <SectionEmpty>No runs in these days.</SectionEmpty>}
      <ul>
        {rows.map((row) => (
          <SectionRow
            key={row.id}
            end={
              <span className="flex items-center gap-3">
                {!hasEnded(stateOf(row)) && <CancelRow run={row} />}
                <span className="max-sm:hidden">{tokens(row.tokens)} tokens</span>
                <span className="w-16 text-ink" title={exactCost(row.cost_usd)}>
                  {cost(row.cost_usd)}
                </span>
              </span>
            }
          >
            <StateIcon state={stateOf(row)} />
            <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id: row.id }} className={ROW_LINK} dir="auto">
              {visibleText(row.title)}
            </Link>
            <span className="truncate text-ink-3 max-sm:hidden">{row.agent?.name ?? row.team?.name}</span>
          </SectionRow>
        ))}
      </ul>
    </>
  );
}
