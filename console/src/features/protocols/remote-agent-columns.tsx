import { Link } from "@tanstack/react-router";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ConnectionState } from "./connection-state.tsx";
import type { RemoteAgent } from "./records.ts";

/** The remote agents; a row opens one. */
export const REMOTE_AGENT_COLUMNS: readonly Column<RemoteAgent>[] = [
  { head: "Name", cell: (agent) => <Name agent={agent} /> },
  {
    head: "State",
    cell: ({ is_enabled: isEnabled, card_error: error }) => <ConnectionState isEnabled={isEnabled} error={error} />,
    width: "w-28",
  },
  { head: "A2A", cell: ({ protocol_version: version }) => version, from: "md", width: "w-20" },
  { head: "Skills", cell: ({ skills }) => skills.length, align: "end", from: "md", width: "w-20" },
  {
    head: "Card fetched",
    cell: ({ card_fetched_at: at }) => <Time at={at} />,
    align: "end",
    from: "md",
    width: "w-36",
  },
];

function Name({ agent }: { readonly agent: RemoteAgent }) {
  return (
    <>
      <Link to="." search={(before) => ({ ...before, id: agent.id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(agent.name)}
      </Link>
      <Bdi className="block truncate text-small text-ink-3">{agent.base_url}</Bdi>
    </>
  );
}
