import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { StateIcon } from "../../../ui/state.tsx";
import { ROW_LINK, Table } from "../../../ui/table.tsx";
import type { Column } from "../../../ui/table.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Agent } from "../records.ts";
import { STATUS_WORDS } from "./status-words.ts";

const COLUMNS: readonly Column<Agent>[] = [
  { head: "Name", cell: (agent) => <Name agent={agent} /> },
  {
    head: "Model",
    cell: ({ model }) => <span className="block truncate text-ink-2">{model}</span>,
    from: "sm",
    width: "w-48",
  },
  { head: "Status", cell: (agent) => <Status agent={agent} />, width: "w-36 max-sm:w-12" },
  { head: "Tags", cell: ({ tags }) => <Tags tags={tags} />, from: "md", width: "w-48" },
  { head: "Changed", cell: ({ updated_at: at }) => <Time at={at} />, from: "md", width: "w-36" },
];

/** The agents, one row each. */
export function AgentTable({ agents, isStale }: { readonly agents: readonly Agent[]; readonly isStale: boolean }) {
  return <Table label="Agents" columns={COLUMNS} rows={agents} keyOf={({ id }) => id} isStale={isStale} />;
}

function Name({ agent }: { readonly agent: Agent }) {
  const { slug } = useWorkspace();
  return (
    <>
      <Link
        to="/w/$workspace/agents/$id"
        params={{ workspace: slug, id: agent.id }}
        data-row
        dir="auto"
        className={ROW_LINK}
      >
        {agent.name}
      </Link>
      <span className="block truncate text-small text-ink-3 sm:hidden">{agent.model}</span>
      {agent.description !== "" && (
        <span dir="auto" className="block truncate text-small text-ink-3 max-sm:hidden">
          {agent.description}
        </span>
      )}
    </>
  );
}

function Status({ agent: { status } }: { readonly agent: Agent }) {
  const words = STATUS_WORDS[status];
  if (status === "idle") return <span className="text-ink-3 max-sm:sr-only">{words}</span>;
  return (
    <span
      className={`flex items-center gap-1.5 max-sm:justify-end ${status === "failed" ? "text-failed" : "text-running"}`}
    >
      <StateIcon state={status} decorative />
      <span className="max-sm:sr-only">{words}</span>
    </span>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span dir="auto" className="block truncate text-ink-2" title={tags.join(", ")}>
      {tags.join(", ")}
    </span>
  );
}
