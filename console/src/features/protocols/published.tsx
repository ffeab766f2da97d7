import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { clientConfigs } from "./client-configs.ts";
import { usePublished } from "./queries.ts";
import type { Published } from "./records.ts";

const TOOLS: readonly Column<Published["mcp"]["tools"][number]>[] = [
  { head: "Agent", cell: ({ name }) => <Bdi className="block truncate font-medium">{name}</Bdi> },
  { head: "Tool", cell: ({ tool }) => <span className="font-mono text-mono break-all">{tool}</span> },
];
const AGENTS: readonly Column<Published["a2a"]["agents"][number]>[] = [
  { head: "Agent", cell: ({ name }) => <Bdi className="block truncate font-medium">{name}</Bdi> },
  { head: "Card", cell: ({ card_url: url }) => <CopyRow label="Card" url={url} isBare /> },
];

/** The agents published to MCP and A2A, their URLs, and how clients are configured. */
export function PublishedList() {
  return (
    <QueryPart query={usePublished()} rows={8}>
      {({ mcp, a2a }) =>
        mcp.tools.length === 0 && a2a.agents.length === 0 ? (
          <NothingPublished />
        ) : (
          <div className="flex flex-col gap-8 py-5">
            <Mcp mcp={mcp} />
            <A2a a2a={a2a} />
          </div>
        )
      }
    </QueryPart>
  );
}

function NothingPublished() {
  const { name, slug } = useWorkspace();
  return (
    <Empty
      title="Nothing is published yet"
      action={
        <Link to="/w/$workspace/agents" params={{ workspace: slug }} className={buttonClass()}>
          Choose an agent
        </Link>
      }
    >
      {`Publish an agent of ${name} to MCP or A2A, and this page shows its URL for other programs.`}
    </Empty>
  );
}

function Mcp({ mcp }: { readonly mcp: Published["mcp"] }) {
  return (
    <section aria-labelledby="mcp">
      <div className="border-line px-page pb-3 max-sm:border-b">
        <h2 id="mcp" className="text-h2 font-semibold">
          MCP: agents as tools
        </h2>
        <CopyRow label="Endpoint" url={mcp.url} />
      </div>
      {mcp.tools.length === 0 ? (
        <p className="px-page text-ink-2">No agent is published to MCP.</p>
      ) : (
        <Table label="Tools" rows={mcp.tools} keyOf={({ agent_id: id }) => id} columns={TOOLS} />
      )}
      <div className="grid grid-cols-2 items-start gap-4 px-page pt-4 max-lg:grid-cols-1">
        {clientConfigs(mcp.url).map(({ client, where, text }) => (
          <CodeBlock key={client} title={`${client} (${where})`} text={text} />
        ))}
      </div>
    </section>
  );
}

function A2a({ a2a }: { readonly a2a: Published["a2a"] }) {
  return (
    <section aria-labelledby="a2a">
      <div className="border-line px-page pb-3 max-sm:border-b">
        <h2 id="a2a" className="text-h2 font-semibold">
          A2A: agents for other agents
        </h2>
        <CopyRow label="Card of this service" url={a2a.card_url} />
      </div>
      {a2a.agents.length === 0 ? (
        <p className="px-page text-ink-2">No agent is published to A2A.</p>
      ) : (
        <Table label="Agents" rows={a2a.agents} keyOf={({ agent_id: id }) => id} columns={AGENTS} />
      )}
    </section>
  );
}

function CopyRow({
  label,
  url,
  isBare = false,
}: {
  readonly label: string;
  readonly url: string;
  readonly isBare?: boolean;
}) {
  return (
    <p className="flex min-w-0 items-center gap-1 text-ink-2">
      {!isBare && <span className="shrink-0">{label}:</span>}
      <span className="truncate font-mono text-mono">{url}</span>
      <CopyButton text={url} label={`Copy ${url}`} />
    </p>
  );
}
