import { useNavigate } from "@tanstack/react-router";
import { deleteMcpServer, refreshMcpServer, updateMcpServer } from "#client/gen/operations/mcp-servers.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { FormError } from "../../ui/field.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow } from "../../ui/fact-list.tsx";
import { EditMcpServer } from "./mcp-server-form.tsx";
import { McpAccounts } from "./mcp-account.tsx";
import { McpTools } from "./mcp-tools.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { useMcpServer } from "./queries.ts";
import type { McpServer } from "./records.ts";

/** One MCP server: its state, and its tools, each of which can be tested. */
export function McpServerSheet({
  id,
  isEditing,
  onClose,
}: {
  readonly id: string;
  /** Its form is open over it. */
  readonly isEditing: boolean;
  readonly onClose: () => void;
}) {
  const query = useMcpServer(id);
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("admin");
  if (isEditing && blockedBy === undefined && query.data !== undefined) {
    const leave = () => void navigate({ to: ".", search: (before) => ({ ...before, edit: undefined }) });
    return <EditMcpServer server={query.data} onClose={leave} />;
  }
  return (
    <RecordSheet
      query={query}
      title={(server) => server?.name ?? "MCP server"}
      description={(server) => <Bdi>{server.url}</Bdi>}
      onClose={onClose}
    >
      {(server) => <Details server={server} onClose={onClose} />}
    </RecordSheet>
  );
}

function Details({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const headers = Object.entries(server.headers);
  return (
    <div className="flex flex-col gap-5">
      <Actions server={server} onClose={onClose} />
      {server.last_error !== null && <FormError>{server.last_error}</FormError>}
      <FactList>
        {server.server_name !== null && (
          <FactRow name="Server">
            <Bdi>{`${server.server_name} ${server.server_version ?? ""}`}</Bdi>
          </FactRow>
        )}
        {server.protocol_version !== null && (
          <FactRow name="MCP">{`${server.protocol_version}, ${server.transport === "sse" ? "SSE" : "streamable HTTP"}`}</FactRow>
        )}
        {headers.map(([name, value]) => (
          <FactRow key={name} name={name}>
            <span className="font-mono text-mono">{value}</span>
          </FactRow>
        ))}
        {server.protocol_version !== null && (
          <FactRow name="Tools listed">
            <Time at={server.tools_fetched_at} />
          </FactRow>
        )}
      </FactList>
      {server.oauth !== null && <McpAccounts server={server} />}
      {(server.oauth === null || server.tool_count > 0) && <McpTools server={server} />}
    </div>
  );
}

function Actions({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <ConnectionActions
      kind="MCP server"
      record={server}
      state={
        <ConnectionState isEnabled={server.is_enabled} error={server.last_error} account={server.account_status} />
      }
      refresh="Reconnect"
      requests={{
        refresh: () => call(refreshMcpServer)({ id: server.id }),
        setEnabled: (isEnabled) => call(updateMcpServer)({ id: server.id }, { is_enabled: isEnabled }),
        remove: () => call(deleteMcpServer)({ id: server.id }),
      }}
      queryKey="mcp-servers"
      onEdit={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: "yes" as const }) })}
      effect="It can be deleted while no agent lists one of its tools."
      onClose={onClose}
    />
  );
}
