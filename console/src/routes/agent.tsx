import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { useWorkspace } from "../api/use-session.ts";
import { AgentActions } from "../features/agents/agent-actions.tsx";
import { AgentForm } from "../features/agents/form/agent-form.tsx";
import { useDraft } from "../features/agents/form/use-draft.ts";
import { ModelFaultBanner } from "../features/agents/model-fault.tsx";
import { AgentRuns } from "../features/agents/agent-runs.tsx";
import { Publish } from "../features/agents/publish/publish.tsx";
import { AgentUsedBy } from "../features/agents/used-by.tsx";
import { useAgent } from "../features/agents/queries.ts";
import type { Agent } from "../features/agents/records.ts";
import { AGENT_TABS, readAgentSearch } from "../features/agents/search.ts";
import type { AgentSearch } from "../features/agents/search.ts";
import { agentStatsPath } from "../features/agents/stats.ts";
import { OPEN_STATUSES } from "../features/runs/stop-all.ts";
import { usedByPath } from "../features/used-by/queries.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import type { ApiCall } from "../features/api-drawer/calls.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Page } from "../ui/page.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { LoadingRows } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { loadPart } from "../lib/load-part.ts";

const LIST = { to: "/w/$workspace/agents", label: "Agents" } as const;
const Try = lazy(() => loadPart(() => import("../features/agents/try/try.tsx")));
const Versions = lazy(() => loadPart(() => import("../features/agents/versions/versions.tsx")));

/** One agent: what it is, trying it, its runs, its versions, where it is published, and what uses it. */
export function AgentPage() {
  const { id } = useParams({ from: "/w/$workspace/agents/$id" });
  const { data: agent, error, refetch } = useAgent(id);
  if (agent !== undefined) return <LoadedAgent key={id} agent={agent} />;
  return <PendingPage noun="Agent" list={LIST} error={error} onRetry={() => void refetch()} />;
}

const LABELS = {
  prompt: "Prompt",
  try: "Try",
  runs: "Runs",
  versions: "Versions",
  publish: "Publish",
  "used-by": "Used by",
} as const;

function LoadedAgent({ agent }: { readonly agent: Agent }) {
  const { slug } = useWorkspace();
  const search = readAgentSearch(useSearch({ from: "/w/$workspace/agents/$id" }));
  const { tab: current = "prompt" } = search;
  const draft = useDraft(agent);
  useApiCalls(callsOf(agent));
  const tabs = AGENT_TABS.map((key) => ({
    key,
    label: key === "prompt" && draft.changed.length > 0 ? `${LABELS[key]} (unsaved)` : LABELS[key],
    link: {
      to: "/w/$workspace/agents/$id" as const,
      params: { workspace: slug, id: agent.id },
      search: key === "prompt" ? {} : { tab: key, ...(search.thread !== undefined && { thread: search.thread }) },
    },
  }));
  return (
    <Page
      title={agent.name}
      above={<BackLink {...LIST} />}
      beside={<span className="shrink-0 whitespace-nowrap text-ink-3">Version {agent.version}</span>}
      actions={<AgentActions agent={agent} />}
      below={<Tabs label="Parts of the agent" tabs={tabs} current={current} />}
    >
      <ModelFaultBanner agent={agent} />
      <Suspense fallback={<LoadingRows />}>
        <Part agent={agent} search={search} draft={draft} />
      </Suspense>
    </Page>
  );
}

function Part({
  agent,
  search,
  draft,
}: {
  readonly agent: Agent;
  readonly search: AgentSearch;
  readonly draft: ReturnType<typeof useDraft>;
}) {
  switch (search.tab) {
    case "try":
      return <Try agent={agent} draft={draft} thread={search.thread} />;
    case "runs":
      return <AgentRuns agent={agent} />;
    case "versions":
      return <Versions agent={agent} search={search} />;
    case "publish":
      return <Publish agent={agent} />;
    case "used-by":
      return <AgentUsedBy agent={agent} />;
    case "prompt":
    case undefined:
      return <AgentForm agent={agent} state={draft} />;
  }
}

function callsOf({ id, name }: Agent): readonly ApiCall[] {
  return [
    { title: "Read the agent", method: "GET", path: `/functions/v1/api-agents?id=${id}`, command: `agents get ${id}` },
    {
      title: "Change the agent",
      method: "PATCH",
      path: `/functions/v1/api-agents?id=${id}`,
      body: { system_prompt: `You are ${name}.` },
    },
    { title: "Read its last 7 days", method: "GET", path: agentStatsPath(id) },
    {
      title: "Stop all its runs",
      method: "POST",
      path: "/console/api/runs/bulk",
      body: { action: "cancel", filter: { agent_id: [id], status: OPEN_STATUSES.agent }, expect: 1 },
    },
    { title: "List what uses it", method: "GET", path: usedByPath({ kind: "agents", id }) },
    {
      title: "Give it a task",
      method: "POST",
      path: "/functions/v1/api-tasks",
      body: { title: "Say hello", assigned_agent_id: id },
      command: `tasks create --agent ${id} --title "Say hello" --watch`,
    },
  ];
}
