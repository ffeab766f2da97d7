import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, finish, read } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { FormError } from "../../ui/field.tsx";
import { RetryIcon } from "../../ui/icons.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { ErrorState, LoadingRows } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow } from "../run/inspector/fact-list.tsx";
import { ConnectionState } from "./connection-state.tsx";
import { McpTools } from "./mcp-tools.tsx";
import { useMcpServer } from "./queries.ts";
import type { McpServer } from "./records.ts";
import { useAction } from "./use-action.ts";

/** One MCP server: its state, and its tools, each of which can be tested. */
export function McpServerSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useMcpServer(id);
  return (
    <Sheet title={data?.name ?? "MCP server"} description={data && <bdi>{data.url}</bdi>} onClose={onClose}>
      {data !== undefined ? (
        <Details server={data} onClose={onClose} />
      ) : error === null ? (
        <LoadingRows rows={4} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Sheet>
  );
}

function Details({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const headers = Object.entries(server.headers);
  return (
    <div className="flex flex-col gap-5">
      <Actions server={server} onClose={onClose} />
      {server.last_error !== null && <FormError>{server.last_error}</FormError>}
      <FactList>
        <FactRow name="Server">
          {server.server_name !== null && <bdi>{`${server.server_name} ${server.server_version ?? ""}`}</bdi>}
        </FactRow>
        <FactRow name="MCP">{`${server.protocol_version}, ${server.transport === "sse" ? "SSE" : "streamable HTTP"}`}</FactRow>
        {headers.map(([name, value]) => (
          <FactRow key={name} name={name}>
            <span className="font-mono text-mono">{value}</span>
          </FactRow>
        ))}
        <FactRow name="Tools listed">
          <Time at={server.tools_fetched_at} />
        </FactRow>
      </FactList>
      <McpTools id={server.id} />
    </div>
  );
}

function Actions({ server, onClose }: { readonly server: McpServer; readonly onClose: () => void }) {
  const { id, name, is_enabled: isEnabled, last_error: lastError } = server;
  const blockedBy = useBlockedBy("admin");
  const client = useQueryClient();
  const { isBusy, error, start } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const params = { path: { id } };
  const changed = () => client.invalidateQueries({ queryKey: ["mcp-servers"] });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <ConnectionState isEnabled={isEnabled} error={lastError} />
        <div className="ms-auto flex flex-wrap gap-2">
          <Button
            size="small"
            icon={RetryIcon}
            isBusy={isBusy}
            blockedBy={blockedBy}
            onClick={() =>
              start(() => read(api.POST("/console/api/mcp-servers/{id}/refresh", { params })).then(changed))
            }
          >
            Reconnect
          </Button>
          <Button
            size="small"
            blockedBy={blockedBy}
            onClick={() =>
              start(() =>
                read(api.PATCH("/console/api/mcp-servers/{id}", { params, body: { is_enabled: !isEnabled } })).then(
                  changed,
                ),
              )
            }
          >
            {isEnabled ? "Turn off" : "Turn on"}
          </Button>
          <Button size="small" look="danger" blockedBy={blockedBy} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      </div>
      {error !== undefined && <FormError>{error}</FormError>}
      {isDeleting && (
        <Confirm
          title={`Delete the MCP server "${name}"?`}
          action="Delete MCP server"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await finish(api.DELETE("/console/api/mcp-servers/{id}", { params }));
            await changed();
            onClose();
          }}
        >
          <p>It can be deleted while no agent lists one of its tools.</p>
        </Confirm>
      )}
    </>
  );
}
