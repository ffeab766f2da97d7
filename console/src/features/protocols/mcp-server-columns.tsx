import { Link } from "@tanstack/react-router";
import { Bdi } from "../../ui/bdi.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ConnectionState } from "./connection-state.tsx";
import type { McpServer } from "./records.ts";

/** The MCP servers; a row opens one. */
export const MCP_SERVER_COLUMNS: readonly Column<McpServer>[] = [
  { head: "Name", cell: (server) => <Name server={server} /> },
  {
    head: "State",
    cell: ({ is_enabled: isEnabled, last_error: error, account_status: account }) => (
      <ConnectionState isEnabled={isEnabled} error={error} account={account} />
    ),
    width: "w-36",
  },
  { head: "Tools", cell: ({ tool_count: count }) => count, align: "end", from: "md", width: "w-20" },
  {
    head: "Tools listed",
    cell: ({ tools_fetched_at: at }) => <Time at={at} />,
    align: "end",
    from: "md",
    width: "w-36",
  },
];

function Name({ server }: { readonly server: McpServer }) {
  return (
    <>
      <Link to="." search={(before) => ({ ...before, id: server.id })} data-row className={ROW_LINK}>
        {server.name}
      </Link>
      <Bdi className="block truncate text-small text-ink-3">{server.url}</Bdi>
    </>
  );
}
