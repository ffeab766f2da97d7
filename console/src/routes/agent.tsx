import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { useWorkspace } from "../api/use-session.ts";
import { AgentActions } from "../features/agents/agent-actions.tsx";
import { AgentForm } from "../features/agents/form/agent-form.tsx";
import { useDraft } from "../features/agents/form/use-draft.ts";
import { ModelFaultBanner } from "../features/agents/model-fault.tsx";
import { ReviewBanner } from "../features/agents/review.tsx";
import { useAgent } from "../features/agents/queries.ts";
import type { Agent } from "../features/agents/records.ts";
import { AGENT_TABS, readAgentSearch } from "../features/agents/search.ts";
import type { AgentSearch } from "../features/agents/search.ts";
import { agentStatsPath } from "../features/agents/stats.ts";
import { giveTaskCall } from "../features/tasks/give-task-call.ts";
import { usedByPath } from "../features/used-by/queries.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import type { ApiCall } from "../lib/api-calls.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Page } from "../ui/page.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { LoadingRows } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { loadPart } from "../lib/load-part.ts";
import { shellQuoted } from "../lib/shell-quoted.ts";

const LIST = { to: "/w/$workspace/agents", label: "Agents" } as const;
const Try = lazy(() => loadPart(() => import("../features/try/try.tsx")));
const AgentRuns = lazy(() => loadPart(() => import("../features/agents/agent-runs.tsx")));
const AgentUsedBy = lazy(() => loadPart(() => import("../features/agents/used-by.tsx")));
const Publish = lazy(() => loadPart(() => import("../features/agents/publish/publish.tsx")));
const Golden = lazy(() => loadPart(() => import("../features/agents/golden/golden.tsx")));
const Versions = lazy(() => loadPart(() => import("../features/agents/versions/versions.tsx")));

/** One agent: what it is, trying it, its runs, its versions and how they do, where it is published, and what uses it. */
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
  golden: "Golden",
  publish: "Publish",
  "used-by": "Used by",
} as const;

function LoadedAgent({ agent }: { readonly agent: Agent }) {
  const { slug } = useWorkspace();
  const search = readAgentSearch(useSearch({ from: "/w/$workspace/agents/$id" }));
  const { tab: current = "prompt" } = search;
  const draft = useDraft(agent);
  useApiCalls(callsOf(agent.id, draft.draft.system_prompt));
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
      {agent.needs_review && <ReviewBanner agent={agent} />}
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
      return <Try agent={agent} draft={draft} thread={search.thread} rerun={search.rerun} />;
    case "runs":
      return <AgentRuns agent={agent} />;
    case "versions":
      return <Versions agent={agent} search={search} />;
    case "golden":
      return <Golden agent={agent} draft={draft} shown={search.golden} />;
    case "publish":
      return <Publish agent={agent} />;
    case "used-by":
      return <AgentUsedBy agent={agent} />;
    case "prompt":
    case undefined:
      return <AgentForm agent={agent} state={draft} />;
  }
}

/** The prompt is the one of the form, so that the request changes nothing that a person has not typed. */
function callsOf(id: string, prompt: string): readonly ApiCall[] {
  const path = `/functions/v1/api-agents?id=${id}`;
  return [
    { title: "Read the agent", method: "GET", path, command: `agents get ${id}` },
    {
      title: "Save its prompt",
      method: "PATCH",
      path,
      body: { system_prompt: prompt },
      command: `agents update ${id} --system-prompt ${shellQuoted(prompt)}`,
    },
    giveTaskCall(id),
    { title: "List its conversations", method: "GET", path: `/console/api/agents/${id}/conversations` },
    { title: "Read its last 7 days", method: "GET", path: agentStatsPath(id) },
    { title: "List what uses it", method: "GET", path: usedByPath({ kind: "agents", id }) },
  ];
}
