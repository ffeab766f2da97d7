import { cost, count, exactCost, tokens } from "../../lib/format.ts";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { turnName } from "./model/names.ts";
import type { RunHead } from "./records.ts";

type TurnUsage = RunHead["usage_by_turn"][number];

/** What remains of the steps after the retention: what each turn of a team has cost. */
export function PurgedSteps({ head }: { readonly head: RunHead }) {
  const { usage_by_turn: turns } = head;
  const columns: readonly Column<TurnUsage>[] = [
    { head: "Turn", cell: ({ turn }) => <span className="block truncate">{turnName(turn)}</span> },
    {
      head: "Agent",
      from: "sm",
      width: "w-36",
      cell: ({ agent_id: id }) => (
        <bdi className="block truncate text-ink-2">
          {head.agents.find((agent) => agent.id === id)?.name ?? "Deleted"}
        </bdi>
      ),
    },
    { head: "Calls", from: "lg", width: "w-16", align: "end", cell: (turn) => count(turn.model_calls) },
    { head: "Tokens", width: "w-20", align: "end", cell: (turn) => tokens(turn.total_tokens) },
    {
      head: "Cost",
      width: "w-20",
      align: "end",
      cell: ({ cost_usd: usd }) => <span title={exactCost(usd)}>{cost(usd)}</span>,
    },
  ];
  return (
    <>
      <Empty title="Steps deleted">
        Their retention period is over.{" "}
        {turns.length === 0 ? "The outcome and the cost remain." : "The outcome and the cost of each turn remain."}
      </Empty>
      {turns.length > 0 && (
        <Table
          label="Cost of each turn"
          columns={columns}
          rows={turns}
          keyOf={({ turn, agent_id: id }) => `${turn} ${id}`}
        />
      )}
    </>
  );
}
