import { useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import type { ApiCall } from "../lib/api-calls.ts";
import { NewMcpServer } from "../features/protocols/mcp-server-form.tsx";
import { McpServerSheet } from "../features/protocols/mcp-server-sheet.tsx";
import { MCP_SERVER_COLUMNS } from "../features/protocols/mcp-server-columns.tsx";
import { PublishedList } from "../features/protocols/published.tsx";
import {
  MCP_SERVERS_PATH,
  PUBLISHED_PATH,
  REMOTE_AGENTS_PATH,
  useMcpServers,
  useRemoteAgents,
} from "../features/protocols/queries.ts";
import { RemoteAgentForm } from "../features/protocols/remote-agent-form.tsx";
import { RemoteAgentSheet } from "../features/protocols/remote-agent-sheet.tsx";
import { REMOTE_AGENT_COLUMNS } from "../features/protocols/remote-agent-columns.tsx";
import { PROTOCOL_TABS, readProtocolsSearch } from "../features/protocols/search.ts";
import type { ProtocolsSearch } from "../features/protocols/search.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const FROM = "/w/$workspace/protocols";
const OPEN = { id: undefined, edit: "yes" };
const REMOTE_AGENT = { base_url: "https://agents.example.com" };
const MCP_SERVER = { name: "tracker", url: "https://mcp.example.com/mcp" };
const TAB_LABELS = { mcp: "MCP servers", published: "Published" } as const;

/** What is connected by A2A and MCP, in both directions. */
export function ProtocolsPage() {
  const search = readProtocolsSearch(useSearch({ from: FROM }));
  const { tab } = search;
  useApiCalls(callsOf(tab));
  return (
    <Page title="A2A & MCP" actions={<Connect tab={tab} />} below={<Sections tab={tab} />}>
      {tab === "published" ? (
        <PublishedList />
      ) : tab === "mcp" ? (
        <McpServers search={search} />
      ) : (
        <RemoteAgents search={search} />
      )}
    </Page>
  );
}

function Sections({ tab }: Pick<ProtocolsSearch, "tab">) {
  const { slug } = useWorkspace();
  const tabs = [undefined, ...PROTOCOL_TABS].map((each) => ({
    key: each ?? "",
    label: each === undefined ? "Remote agents" : TAB_LABELS[each],
    link: {
      to: "/w/$workspace/protocols" as const,
      params: { workspace: slug },
      search: each === undefined ? {} : { tab: each },
    },
  }));
  return <Tabs label="A2A and MCP" tabs={tabs} current={tab ?? ""} />;
}

function Connect({ tab }: Pick<ProtocolsSearch, "tab">) {
  if (tab === "published") return null;
  return (
    <OpenLink needs="admin" search={OPEN}>
      {tab === "mcp" ? "Connect server" : "Connect agent"}
    </OpenLink>
  );
}

/** Opens and closes the sheet beside a list. */
function useOpening() {
  const navigate = usePageNavigate({ from: FROM });
  return {
    open: (id: string) => void navigate({ search: (before) => ({ ...before, id, edit: undefined }) }),
    close: () => void navigate({ search: (before) => ({ ...before, id: undefined, edit: undefined }) }),
  };
}

function RemoteAgents({ search: { id, edit } }: { readonly search: ProtocolsSearch }) {
  const pages = useRemoteAgents();
  const blockedBy = useBlockedBy("admin");
  const { open, close } = useOpening();
  return (
    <>
      <RecordList
        label="Remote agents"
        pages={pages}
        columns={REMOTE_AGENT_COLUMNS}
        empty={
          <Empty
            title="No remote agents yet"
            action={<Connect tab={undefined} />}
            command={curlLine(REMOTE_AGENTS_PATH, REMOTE_AGENT)}
          >
            A remote agent belongs to another service. Yours delegate to it by A2A, with the tool a2a_delegate.
          </Empty>
        }
      />
      {id !== undefined && <RemoteAgentSheet id={id} onClose={close} />}
      {edit !== undefined && blockedBy === undefined && <RemoteAgentForm onConnected={open} onClose={close} />}
    </>
  );
}

function McpServers({ search: { id, edit } }: { readonly search: ProtocolsSearch }) {
  const pages = useMcpServers();
  const blockedBy = useBlockedBy("admin");
  const { open, close } = useOpening();
  return (
    <>
      <RecordList
        label="MCP servers"
        pages={pages}
        columns={MCP_SERVER_COLUMNS}
        empty={
          <Empty
            title="No MCP servers yet"
            action={<Connect tab="mcp" />}
            command={curlLine(MCP_SERVERS_PATH, MCP_SERVER)}
          >
            An MCP server offers tools. Connect one, and agents can list its tools among their own.
          </Empty>
        }
      />
      {id !== undefined && <McpServerSheet id={id} isEditing={edit !== undefined} onClose={close} />}
      {id === undefined && edit !== undefined && blockedBy === undefined && (
        <NewMcpServer onConnected={open} onClose={close} />
      )}
    </>
  );
}

function callsOf(tab: ProtocolsSearch["tab"]): readonly ApiCall[] {
  switch (tab) {
    case "mcp":
      return [
        { title: "List MCP servers", method: "GET", path: MCP_SERVERS_PATH },
        {
          title: "List the tools of one",
          method: "POST",
          path: `${MCP_SERVERS_PATH}/discover`,
          body: { url: MCP_SERVER.url },
        },
        {
          title: "Connect one",
          method: "POST",
          path: MCP_SERVERS_PATH,
          body: MCP_SERVER,
        },
      ];
    case "published":
      return [{ title: "List what is published", method: "GET", path: PUBLISHED_PATH }];
    default:
      return [
        { title: "List remote agents", method: "GET", path: REMOTE_AGENTS_PATH },
        {
          title: "Connect one",
          method: "POST",
          path: REMOTE_AGENTS_PATH,
          body: REMOTE_AGENT,
        },
      ];
  }
}
