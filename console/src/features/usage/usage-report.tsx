import { useNavigate } from "@tanstack/react-router";
import { cost, count, exactCost, plural, tokens, utcDay } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Select } from "../../ui/fields.tsx";
import { Plot } from "../../ui/plot.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionEmpty } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { ExportButton } from "./export-button.tsx";
import { usagePath } from "./queries.ts";
import type { Usage, useUsage } from "./queries.ts";
import { daysOf, kindsOf, seriesOf, sumsOf } from "./rows.ts";
import type { UsageSum } from "./rows.ts";
import { GROUPS, METRICS, RANGES } from "./search.ts";
import type { UsageSearch } from "./search.ts";

const GROUP_LABELS = { agent: "By agent", model: "By model", team: "By team" } as const;
const METRIC_LABELS = { cost: "Cost", tokens: "Tokens", kinds: "Token kinds" } as const;

const COLUMNS: readonly Column<UsageSum>[] = [
  {
    head: "Name",
    cell: ({ name }) => (
      <span dir="auto" className="block truncate font-medium">
        {visibleText(name)}
      </span>
    ),
  },
  { head: "Calls", cell: ({ calls }) => count(calls), align: "end", width: "w-24", from: "sm" },
  { head: "Prompt", cell: ({ prompt }) => tokens(prompt), align: "end", width: "w-28", from: "sm" },
  { head: "Cached", cell: ({ cached }) => tokens(cached), align: "end", width: "w-24", from: "lg" },
  { head: "Written", cell: ({ written }) => tokens(written), align: "end", width: "w-24", from: "lg" },
  { head: "Completion", cell: ({ completion }) => tokens(completion), align: "end", width: "w-28", from: "sm" },
  {
    head: "Cost",
    cell: ({ cost: spent }) => <span title={exactCost(spent)}>{cost(spent)}</span>,
    align: "end",
    width: "w-28",
  },
];

/** Cost or tokens by day, stacked, and the same as a table. */
export function UsageReport({
  search,
  query,
}: {
  readonly search: UsageSearch;
  readonly query: ReturnType<typeof useUsage>;
}) {
  return (
    <Section title="By day" aside={<Choices search={search} />}>
      <QueryPart query={query}>
        {(usage) => <Report usage={usage} of={search.of ?? "cost"} isStale={query.isPlaceholderData} />}
      </QueryPart>
    </Section>
  );
}

function Report({
  usage,
  of,
  isStale,
}: {
  readonly usage: Usage;
  readonly of: (typeof METRICS)[number];
  readonly isStale: boolean;
}) {
  const sums = sumsOf(usage);
  if (sums.length === 0) return <SectionEmpty>No model was called in these days.</SectionEmpty>;
  const { cost_usd: spent, total_tokens: used } = usage.total;
  return (
    <div className={`flex flex-col gap-4 pt-3 ${isStale ? "opacity-50" : ""}`}>
      <Plot
        label={`${METRIC_LABELS[of]}: ${of === "cost" ? cost(spent) : tokens(used)} in total`}
        starts={daysOf(usage)}
        series={of === "kinds" ? kindsOf(usage) : seriesOf(sums, of)}
        formatStart={utcDay}
        formatValue={of === "cost" ? cost : tokens}
      />
      <div className="-mx-page">
        <Table label="Usage" columns={COLUMNS} rows={sums} keyOf={({ key }) => key} />
      </div>
      <Uncounted total={usage.total} />
    </div>
  );
}

/** What calls used that their providers did not report. */
function Uncounted({ total }: { readonly total: Usage["total"] }) {
  const { interrupted_calls: calls, worst_case_tokens: unreported, worst_case_cost_usd: worst } = total;
  if (calls === 0 && unreported === 0) return null;
  return (
    <p className="text-small text-ink-3">
      {calls > 0 && `${plural(calls, "more call")} interrupted. `}
      Not reported, counted at worst case: {tokens(unreported)} tokens, {cost(worst)}.
    </p>
  );
}

function Choices({ search }: { readonly search: UsageSearch }) {
  const navigate = useNavigate();
  const { by = "agent", days = "30", of = "cost" } = search;
  const choose = (change: UsageSearch) => void navigate({ to: ".", search: (before) => ({ ...before, ...change }) });
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label="What is counted"
        className="w-28 touch:w-34"
        value={of}
        onChange={({ target }) => choose({ of: METRICS.find((each) => each === target.value) })}
      >
        {METRICS.map((each) => (
          <option key={each} value={each}>
            {METRIC_LABELS[each]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Stacked by"
        className="w-28 touch:w-34"
        value={by}
        onChange={({ target }) => choose({ by: GROUPS.find((each) => each === target.value) })}
      >
        {GROUPS.map((each) => (
          <option key={each} value={each}>
            {GROUP_LABELS[each]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Days"
        className="w-28 touch:w-34"
        value={days}
        onChange={({ target }) => choose({ days: RANGES.find((each) => each === target.value) })}
      >
        {RANGES.map((each) => (
          <option key={each} value={each}>
            {each} days
          </option>
        ))}
      </Select>
      <ExportButton path={usagePath(by, Number(days), "csv")} name={`usage-by-${by}.csv`} />
    </div>
  );
}
