import { cost, count, tokens, utcDay } from "../../lib/format.ts";
import { Plot } from "../../ui/plot.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import type { PartQuery } from "../../ui/query-part.tsx";
import { Section } from "../../ui/section.tsx";
import type { Usage } from "../usage/queries.ts";
import { daysOf, kindsOf } from "../usage/rows.ts";
import type { Overview } from "./queries.ts";

/** Runs, cost and tokens of the last 14 days. */
export function LastDays({ days, usage }: { readonly days: Overview; readonly usage: PartQuery<Usage> }) {
  const { buckets } = days;
  const starts = buckets.map(({ start }) => start);
  return (
    <Section title="Last 14 days" aside="Days in UTC">
      <div className="grid grid-cols-2 gap-8 pt-3 max-md:grid-cols-1">
        <Plot
          label="Runs"
          starts={starts}
          formatStart={utcDay}
          formatValue={wholeCount}
          series={[
            { label: "Completed", ink: "--color-completed", values: buckets.map(({ completed }) => completed) },
            { label: "Failed", ink: "--color-failed", values: buckets.map(({ failed }) => failed) },
            { label: "Cancelled", ink: "--color-idle", values: buckets.map(({ cancelled }) => cancelled) },
          ]}
        />
        <Plot
          label="Cost"
          starts={starts}
          formatStart={utcDay}
          formatValue={cost}
          series={[{ label: "All models", ink: "--color-plot-1", values: buckets.map((each) => each.cost_usd) }]}
        />
        <QueryPart query={usage}>
          {(used) => {
            const kinds = kindsOf(used);
            if (kinds.length === 0) return null;
            return (
              <Plot label="Tokens" starts={daysOf(used)} formatStart={utcDay} formatValue={tokens} series={kinds} />
            );
          }}
        </QueryPart>
      </div>
    </Section>
  );
}

/** Between whole runs there is nothing to say on an axis. */
function wholeCount(value: number): string {
  return Number.isInteger(value) ? count(value) : "";
}
