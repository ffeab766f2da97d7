import { useQuery } from "@tanstack/react-query";
import { priceUsage } from "#client/gen/operations/usage.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { cost, count, exactCost } from "../../lib/format.ts";
import { Folded } from "../../ui/folded.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { SectionEmpty } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { firstDay } from "./queries.ts";

type Priced = components["schemas"]["PricedUsage"];
type PricedModel = Priced["models"][number];

/** What the calls of the last days would have cost with each model of the catalogue. */
export function WhatIf({ days }: { readonly days: number }) {
  return (
    <Folded title="What would it have cost with another model?">
      <Answer days={days} />
    </Folded>
  );
}

function Answer({ days }: { readonly days: number }) {
  const query = useQuery({
    queryKey: ["usage", "what-if", days],
    queryFn: () => call(priceUsage)({ from: firstDay(days) }),
  });
  return <QueryPart query={query}>{(priced) => <Prices priced={priced} />}</QueryPart>;
}

function Prices({ priced }: { readonly priced: Priced }) {
  if (priced.calls === 0) return <SectionEmpty>No model was called in these days.</SectionEmpty>;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ink-2">
        {priced.is_cut ? "The last " : "The "}
        {count(priced.calls)} calls cost {cost(priced.cost_usd)}. Below are the same tokens at the prices of each model,
        caching included. Another model may need more or fewer tokens for the same work.
      </p>
      <div className="-mx-3">
        <Table
          label="Cost by model"
          columns={columnsFor(priced)}
          rows={priced.models}
          keyOf={({ provider, model }) => `${provider}/${model}`}
        />
      </div>
    </div>
  );
}

function columnsFor({ cost_usd: spent }: Priced): readonly Column<PricedModel>[] {
  return [
    { head: "Model", cell: ({ model }) => <span className="block truncate font-medium">{model}</span> },
    { head: "Provider", cell: ({ provider }) => provider, width: "w-28", from: "sm" },
    {
      head: "Cost",
      cell: ({ cost_usd: usd }) => <span title={exactCost(usd)}>{cost(usd)}</span>,
      align: "end",
      width: "w-24",
    },
    { head: "Difference", cell: ({ cost_usd: usd }) => difference(usd, spent), align: "end", width: "w-28" },
  ];
}

/** `+12 %`, `−40 %`, `3.2 ×`; nothing to compare with a cost of zero. */
function difference(usd: number, spent: number): string {
  if (spent === 0) return "";
  const ratio = usd / spent;
  if (ratio >= 2) return `${ratio.toFixed(1)} ×`;
  const percents = Math.round((ratio - 1) * 100);
  return percents === 0 ? "same" : `${percents > 0 ? "+" : "−"}${Math.abs(percents)} %`;
}
