import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../lib/load-part.ts";
import { oneOf } from "../lib/search.ts";
import { readAgentSearch, readAgentsSearch, readNewAgentSearch } from "../features/agents/search.ts";
import { readFilesSearch } from "../features/files/search.ts";
import { readKnowledgeSearch } from "../features/knowledge/search.ts";
import { readRunsSearch } from "../features/runs/search.ts";
import { readCompareSearch } from "../features/records/comparison-search.ts";
import { readRunSearch } from "../features/run/search.ts";
import { readQuestionsSearch } from "../features/questions/search.ts";
import { readTeamSearch, readTeamsSearch } from "../features/teams/search.ts";
import { readToolsSearch } from "../features/tools/search.ts";
import { readUsageSearch } from "../features/usage/search.ts";
import { NotFoundInShell } from "../routes/problem.tsx";
import { enterOrAsk, root } from "./public.ts";

/** The pages of a workspace, inside the shell. Dialogs with their own URL are search parameters here. */
export const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspace",
  validateSearch: (search): { readonly new?: "task" } => {
    const dialog = oneOf(search["new"], ["task"]);
    return dialog === undefined ? {} : { new: dialog };
  },
  beforeLoad: ({ params, location }) => enterOrAsk(params.workspace, location.href),
  component: lazyRouteComponent(() => loadPart(() => import("../routes/shell.tsx")), "ShellPage"),
  notFoundComponent: NotFoundInShell,
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  component: lazyRouteComponent(() => loadPart(() => import("../routes/home.tsx")), "HomePage"),
});

const questions = createRoute({
  getParentRoute: () => workspace,
  path: "/questions",
  validateSearch: readQuestionsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/questions.tsx")), "QuestionsPage"),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: "/runs",
  validateSearch: readRunsSearch,
  loader: ({ location }) =>
    loadPart(() => import("../routes/runs.tsx")).then(({ prefetchRuns }) =>
      prefetchRuns(readRunsSearch(location.search)),
    ),
  component: lazyRouteComponent(() => loadPart(() => import("../routes/runs.tsx")), "RunsPage"),
});

const compare = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/compare",
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/compare.tsx")), "ComparePage"),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/$id",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/run.tsx")), "RunPage"),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: "/files",
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/files.tsx")), "FilesPage"),
});

const knowledge = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge",
  validateSearch: readKnowledgeSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/knowledge.tsx")), "KnowledgePage"),
});

const teams = createRoute({
  getParentRoute: () => workspace,
  path: "/teams",
  validateSearch: readTeamsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/teams.tsx")), "TeamsPage"),
});

const team = createRoute({
  getParentRoute: () => workspace,
  path: "/teams/$id",
  validateSearch: readTeamSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/team.tsx")), "TeamPage"),
});

const agents = createRoute({
  getParentRoute: () => workspace,
  path: "/agents",
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/agents.tsx")), "AgentsPage"),
});

const agentNew = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/new",
  validateSearch: readNewAgentSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/agent-new.tsx")), "NewAgentPage"),
});

const agent = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/$id",
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/agent.tsx")), "AgentPage"),
});

const tools = createRoute({
  getParentRoute: () => workspace,
  path: "/tools",
  validateSearch: readToolsSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/tools.tsx")), "ToolsPage"),
});

const usage = createRoute({
  getParentRoute: () => workspace,
  path: "/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => loadPart(() => import("../routes/usage.tsx")), "UsagePage"),
});

/** What is worked with and built in a workspace. */
export const workRoutes = [
  home,
  questions,
  runs,
  compare,
  run,
  files,
  knowledge,
  teams,
  team,
  agents,
  agentNew,
  agent,
  tools,
  usage,
] as const;
