import { useSearch } from "@tanstack/react-router";
import { AgentFilters } from "../features/agents/list/agent-filters.tsx";
import { AgentTable } from "../features/agents/list/agent-table.tsx";
import { ImportAgent } from "../features/agents/list/import-agent.tsx";
import { NewAgentButton } from "../features/agents/list/new-agent-button.tsx";
import { agentsPath, useAgentList } from "../features/agents/queries.ts";
import { useAgentTags } from "../features/records/agent-tags.ts";
import { isFiltered, readAgentsSearch } from "../features/agents/search.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { curlLine } from "../lib/curl-line.ts";
import { Page } from "../ui/page.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { NoMatch } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";

const CREATE = {
  title: "Create an agent",
  method: "POST",
  path: "/functions/v1/api-agents",
  body: { name: "Support", model: "demo", system_prompt: "Answer kindly.", tools: ["current_time"] },
  command: 'agents create --name Support --model demo --system-prompt "Answer kindly." --tools current_time',
} as const;

const NONE = (
  <Empty
    title="No agents yet"
    action={<NewAgentButton />}
    command={curlLine("/functions/v1/api-agents", { name: "Support", model: "demo" })}
  >
    An agent is a model with a prompt and tools. Create one, or import a file.
  </Empty>
);

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
      <PagedList pages={pages} empty={isFiltered(search) ? <NoMatch title="No agent matches these filters" /> : NONE}>
        {(agents) => <AgentTable agents={agents} isStale={pages.isStale} />}
      </PagedList>
    </Page>
  );
}
