import { Link, useSearch } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { AgentFilters } from "../features/agents/list/agent-filters.tsx";
import { AgentTable } from "../features/agents/list/agent-table.tsx";
import { ImportAgent } from "../features/agents/list/import-agent.tsx";
import { NewAgentButton } from "../features/agents/list/new-agent-button.tsx";
import { agentsPath, useAgentList } from "../features/agents/queries.ts";
import { useAgentTags } from "../features/records/agent-tags.ts";
import { isFiltered, readAgentsSearch } from "../features/agents/search.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { curlLine } from "../lib/curl-line.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { Empty } from "../ui/states.tsx";

const CREATE = {
  title: "Create an agent",
  method: "POST",
  path: "/functions/v1/api-agents",
  body: { name: "Support", model: "demo", system_prompt: "Answer kindly.", tools: ["current_time"] },
  command: 'agents create --name Support --model demo --system-prompt "Answer kindly." --tools current_time',
} as const;

/** The agents of the workspace. */
export function AgentsPage() {
  const search = readAgentsSearch(useSearch({ from: "/w/$workspace/agents" }));
  const pages = useAgentList(search);
  const tags = useAgentTags();
  useApiCalls([{ title: "List agents", method: "GET", path: agentsPath(search), command: "agents list" }, CREATE]);
  return (
    <Page
      title="Agents"
      actions={
        <>
          <ImportAgent />
          <NewAgentButton />
        </>
      }
    >
      <AgentFilters search={search} tags={tags} />
      <PagedList pages={pages} empty={<NoAgents isFiltered={isFiltered(search)} />}>
        {(agents) => <AgentTable agents={agents} isStale={pages.isStale} />}
      </PagedList>
    </Page>
  );
}

function NoAgents({ isFiltered: hasFilters }: { readonly isFiltered: boolean }) {
  const { slug } = useWorkspace();
  if (hasFilters) {
    return (
      <Empty
        title="No agent matches these filters"
        action={
          <Link to="/w/$workspace/agents" params={{ workspace: slug }} className={buttonClass()}>
            Clear filters
          </Link>
        }
      />
    );
  }
  return (
    <Empty
      title="No agents yet"
      action={<NewAgentButton />}
      command={curlLine("/functions/v1/api-agents", { name: "Support", model: "demo" })}
    >
      An agent is a model with a prompt and tools. Create one, or import a file.
    </Empty>
  );
}
