import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { StateIcon } from "../../../ui/state.tsx";
import { ROW_LINK } from "../../../ui/row-link.ts";
import { Table } from "../../../ui/table.tsx";
import type { Column } from "../../../ui/table.tsx";
import { Time } from "../../../ui/time.tsx";
import { cost, count, duration, exactCost, percent, plural } from "../../../lib/format.ts";
import type { Agent } from "../records.ts";
import { ModelName } from "../model-fault.tsx";
import { useStats } from "../stats.ts";
import type { AgentStats } from "../stats.ts";
import { STATUS_LABELS } from "./status-labels.ts";

/** An agent, and its last 7 days once they are read. */
interface Row {
  readonly agent: Agent;
  readonly stats: AgentStats | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "Name", cell: ({ agent }) => <Name agent={agent} /> },
  {
    head: "Model",
    cell: ({ agent }) => (
      <span className="text-ink-2">
        <ModelName agent={agent} />
      </span>
    ),
    from: "sm",
    width: "w-36",
  },
  { head: "Status", cell: (row) => <Status {...row} />, width: "w-24 max-sm:w-12" },
  {
    head: "Runs, 7 d",
    cell: ({ stats }) => stats && <Figure value={count(stats.runs)} isNone={stats.runs === 0} />,
    from: "sm",
    width: "w-24",
    align: "end",
  },
  { head: "Success", cell: ({ stats }) => <Success stats={stats} />, from: "sm", width: "w-24", align: "end" },
  {
    head: "p95",
    cell: ({ stats }) =>
      stats && <Figure value={stats.p95_ms === null ? "–" : duration(stats.p95_ms)} isNone={stats.p95_ms === null} />,
    from: "lg",
    width: "w-20",
    align: "end",
  },
  {
    head: "Cost, 7 d",
    cell: ({ stats }) =>
      stats && <Figure value={cost(stats.cost_usd)} title={exactCost(stats.cost_usd)} isNone={stats.cost_usd === 0} />,
    from: "md",
    width: "w-24",
    align: "end",
  },
  { head: "Changed", cell: ({ agent }) => <Time at={agent.updated_at} />, from: "lg", width: "w-28", align: "end" },
];

/** The agents, one row each, with their last 7 days. */
export function AgentTable({ agents, isStale }: { readonly agents: readonly Agent[]; readonly isStale: boolean }) {
  const stats = useStats(agents.map(({ id }) => id));
  const rows = agents.map((agent) => ({ agent, stats: stats.get(agent.id) }));
  return (
    <Table
      label="Agents"
      list="agents"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ agent }) => agent.id}
      isStale={isStale}
    />
  );
}

function Name({ agent }: { readonly agent: Agent }) {
  const { slug } = useWorkspace();
  const about = [agent.description, agent.tags.join(", ")].filter((text) => text !== "").join(" · ");
  return (
    <>
      <Link
        to="/w/$workspace/agents/$id"
        params={{ workspace: slug, id: agent.id }}
        data-row
        dir="auto"
        className={ROW_LINK}
      >
        {visibleText(agent.name)}
      </Link>
      <span className="block text-small text-ink-3 sm:hidden">
        <ModelName agent={agent} />
      </span>
      {about !== "" && (
        <span dir="auto" title={about} className="block truncate text-small text-ink-3 max-sm:hidden">
          {visibleText(about)}
        </span>
      )}
    </>
  );
}

const STATUS_INKS = { failed: "text-failed", running: "text-running", waiting: "text-waiting" } as const;

function Status({ agent, stats }: Row) {
  const status = agent.status === "running" && stats?.is_waiting === true ? "waiting" : agent.status;
  const words = STATUS_LABELS[status];
  if (status === "idle") return <span className="text-ink-3 max-sm:sr-only">{words}</span>;
  return (
    <span className={`flex items-center gap-1.5 max-sm:justify-end max-sm:pe-2 ${STATUS_INKS[status]}`}>
      <StateIcon state={status} decorative />
      <span className="max-sm:sr-only">{words}</span>
    </span>
  );
}

function Figure({
  value,
  title,
  isNone,
}: {
  readonly value: string;
  readonly title?: string;
  readonly isNone: boolean;
}) {
  return (
    <span className={isNone ? "text-ink-3" : ""} title={title}>
      {value}
    </span>
  );
}

function Success({ stats }: { readonly stats: AgentStats | undefined }) {
  if (stats === undefined) return undefined;
  const { success_share: share, failed } = stats;
  if (share === null) return <Figure value="–" isNone />;
  return (
    <span className={failed > 0 ? "text-failed" : ""} title={plural(failed, "failed run")}>
      {percent(share)}
    </span>
  );
}
