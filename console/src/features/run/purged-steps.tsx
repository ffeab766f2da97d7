import { cost, count, exactCost, tokens } from "../../lib/format.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { turnName } from "./model/names.ts";
import type { RunHead } from "../records/run-head.ts";

/** What a turn of a team has used, with the name of its agent. */
type Turn = RunHead["usage_by_turn"][number] & { readonly agent: string };

const COLUMNS: readonly Column<Turn>[] = [
  { head: "Turn", cell: ({ turn }) => <span className="block truncate">{turnName(turn)}</span> },
  {
    head: "Agent",
    from: "sm",
    width: "w-36",
    cell: ({ agent }) => <Bdi className="block truncate text-ink-2">{agent}</Bdi>,
  },
  { head: "Calls", from: "lg", width: "w-16", align: "end", cell: (turn) => count(turn.model_calls) },
  { head: "Tokens", width: "w-20", align: "end", cell: (turn) => tokens(turn.total_tokens) },
  { head: "Cached", from: "lg", width: "w-20", align: "end", cell: (turn) => tokens(turn.cached_tokens) },
  { head: "Written", from: "lg", width: "w-20", align: "end", cell: (turn) => tokens(turn.cache_write_tokens) },
  { head: "Reasoning", from: "lg", width: "w-24", align: "end", cell: (turn) => tokens(turn.reasoning_tokens) },
  {
    head: "Cost",
    width: "w-24",
    align: "end",
    cell: ({ cost_usd: usd }) => (
      <span title={exactCost(usd)} className="whitespace-nowrap">
        {cost(usd)}
      </span>
    ),
  },
];

/** What remains of the steps after the retention: what each turn of a team has cost. */
export function PurgedSteps({ head: { usage_by_turn: usage, agents } }: { readonly head: RunHead }) {
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const turns = usage.map((turn) => ({ ...turn, agent: names.get(turn.agent_id) ?? "Deleted" }));
  return (
    <>
      <Empty title="Steps deleted">
        Their retention period is over.{" "}
        {turns.length === 0 ? "The outcome and the cost remain." : "The outcome and the cost of each turn remain."}
      </Empty>
      {turns.length > 0 && (
        <Table
          label="Cost of each turn"
          columns={COLUMNS}
          rows={turns}
          keyOf={({ turn, agent_id: id }) => `${turn} ${id}`}
        />
      )}
    </>
  );
}
