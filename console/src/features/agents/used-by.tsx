import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { Section, SectionRow } from "../../ui/section.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { useUsedBy } from "../used-by/queries.ts";
import type { UsedBy } from "../used-by/queries.ts";
import { UsedByList } from "../used-by/used-by-list.tsx";
import type { Agent } from "./records.ts";

/** The records that use the agent, and where others can call it. */
export default function AgentUsedBy({ agent }: { readonly agent: Agent }) {
  return (
    <QueryPart query={useUsedBy({ kind: "agents", id: agent.id })}>
      {(data) => (
        <div className="grid grid-cols-2 gap-x-10 gap-y-6 px-page py-5 max-md:grid-cols-1">
          <UsedByList usedBy={data} />
          <Published agent={agent} usedBy={data} />
        </div>
      )}
    </QueryPart>
  );
}

function Published({
  agent,
  usedBy: { published, open_runs: open },
}: {
  readonly agent: Agent;
  readonly usedBy: UsedBy;
}) {
  const { slug } = useWorkspace();
  const { mcp, a2a, marketplace, installs } = published;
  const params = { workspace: slug, id: agent.id };
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="Published"
        aside={
          <Link to="/w/$workspace/agents/$id" params={params} search={{ tab: "publish" }} className="text-accent">
            Change
          </Link>
        }
      >
        <ul>
          <Way name="MCP" end={mcp === null ? "No" : <code className="font-mono text-mono">{mcp}</code>} />
          <Way name="A2A" end={a2a ? "Yes" : "No"} />
          <Way name="Marketplace" end={marketplace ? plural(installs, "install") : "No"} />
        </ul>
      </Section>
      <Section title="Work">
        <ul>
          <Way
            name="Runs in progress"
            end={
              <Link
                to="/w/$workspace/runs"
                params={{ workspace: slug }}
                search={{ agent: [agent.id], status: ["dispatched", "running", "waiting_for_input"] }}
                className="text-accent"
              >
                {open}
              </Link>
            }
          />
        </ul>
      </Section>
    </div>
  );
}

function Way({ name, end }: { readonly name: string; readonly end: ReactNode }) {
  return <SectionRow end={end}>{name}</SectionRow>;
}
