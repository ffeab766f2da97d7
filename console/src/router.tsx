import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { enterWorkspace, resumeSession } from "./api/enter.ts";
import type { Access } from "./api/session.ts";
import { locate } from "./api/locate.ts";
import { oneOf, parseSearch, stringifySearch, textOf } from "./lib/search.ts";
import { findWorkspace, slugOf } from "./lib/workspaces.ts";
import { readPlannedSearch } from "./features/schedules/search.ts";
import { readMarketplaceSearch } from "./features/marketplace/search.ts";
import { readProtocolsSearch } from "./features/protocols/search.ts";
import { readDestinationsSearch } from "./features/destinations/search.ts";
import { readAgentSearch, readAgentsSearch } from "./features/agents/search.ts";
import { readModelsSearch } from "./features/models/search.ts";
import { readFilesSearch } from "./features/files/search.ts";
import { readKnowledgeSearch } from "./features/knowledge/search.ts";
import { readRunsSearch } from "./features/runs/search.ts";
import { readCompareSearch } from "./features/compare/search.ts";
import { readRunSearch } from "./features/run/search.ts";
import { readQuestionsSearch } from "./features/questions/search.ts";
import { readAuditSearch, readNewSearch } from "./features/settings/search.ts";
import { readTeamSearch, readTeamsSearch } from "./features/teams/search.ts";
import { readUsageSearch } from "./features/usage/search.ts";
import { NotFound, PageError } from "./routes/problem.tsx";
import { Root } from "./routes/root.tsx";

/** Every address of the console. Screens are loaded when they are opened; their search parameters are read here. */
const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageError });

/** Where to go after signing in: an address of this service only. */
function readNext(search: Record<string, unknown>): { readonly next?: string } {
  const next = textOf(search["next"]);
  return next !== undefined && /^\/(?!\/)/.test(next) ? { next } : {};
}

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  async beforeLoad() {
    const access = await resumeSession();
    if (access === undefined) throw redirect({ to: "/sign-in", replace: true });
    throw redirect({ to: "/w/$workspace", params: { workspace: homeOf(access) }, replace: true });
  },
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyRouteComponent(() => import("./routes/setup.tsx"), "SetupPage"),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readNext,
  component: lazyRouteComponent(() => import("./routes/sign-in.tsx"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  component: lazyRouteComponent(() => import("./routes/sign-up.tsx"), "SignUpPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyRouteComponent(() => import("./routes/reset.tsx"), "ResetPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  component: lazyRouteComponent(() => import("./routes/invite.tsx"), "InvitePage"),
});

/** A short permanent link: it finds the workspace among the person's own. */
const runLink = createRoute({
  getParentRoute: () => root,
  path: "/r/$id",
  async beforeLoad({ params: { id }, location }) {
    const workspace = await workspaceOf(id, location.href);
    throw redirect({ to: "/w/$workspace/runs/$id", params: { workspace, id }, replace: true });
  },
});

const answerLink = createRoute({
  getParentRoute: () => root,
  path: "/r/$id/answer",
  beforeLoad: ({ params: { id }, location }) => workspaceOf(id, location.href).then(enterWorkspace),
  component: lazyRouteComponent(() => import("./routes/answer.tsx"), "AnswerPage"),
});

/** One question, for whoever has its link; no session is needed. */
const tokenLink = createRoute({
  getParentRoute: () => root,
  path: "/a",
  component: lazyRouteComponent(() => import("./routes/answer-link.tsx"), "AnswerLinkPage"),
});

/** Everything of a workspace, inside of the shell. Dialogs with an address of their own are parameters here. */
const workspace = createRoute({
  getParentRoute: () => root,
  path: "/w/$workspace",
  validateSearch: (search): { readonly new?: "task" } => {
    const dialog = oneOf(search["new"], ["task"]);
    return dialog === undefined ? {} : { new: dialog };
  },
  async beforeLoad({ params, location }) {
    const entry = await enterWorkspace(params.workspace);
    if (entry === "signed-out") throw redirect({ to: "/sign-in", search: { next: location.href }, replace: true });
  },
  component: lazyRouteComponent(() => import("./routes/shell.tsx"), "ShellPage"),
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  component: lazyRouteComponent(() => import("./routes/home.tsx"), "HomePage"),
});

const questions = createRoute({
  getParentRoute: () => workspace,
  path: "/questions",
  validateSearch: readQuestionsSearch,
  component: lazyRouteComponent(() => import("./routes/questions.tsx"), "QuestionsPage"),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: "/runs",
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import("./routes/runs.tsx"), "RunsPage"),
});

const compare = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/compare",
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import("./routes/compare.tsx"), "ComparePage"),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/$id",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("./routes/run.tsx"), "RunPage"),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: "/files",
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import("./routes/files.tsx"), "FilesPage"),
});

const knowledge = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge",
  validateSearch: readKnowledgeSearch,
  component: lazyRouteComponent(() => import("./routes/knowledge.tsx"), "KnowledgePage"),
});

const teams = createRoute({
  getParentRoute: () => workspace,
  path: "/teams",
  validateSearch: readTeamsSearch,
  component: lazyRouteComponent(() => import("./routes/teams.tsx"), "TeamsPage"),
});

const team = createRoute({
  getParentRoute: () => workspace,
  path: "/teams/$id",
  validateSearch: readTeamSearch,
  component: lazyRouteComponent(() => import("./routes/team.tsx"), "TeamPage"),
});

const agents = createRoute({
  getParentRoute: () => workspace,
  path: "/agents",
  validateSearch: readAgentsSearch,
  component: lazyRouteComponent(() => import("./routes/agents.tsx"), "AgentsPage"),
});

const agentNew = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/new",
  component: lazyRouteComponent(() => import("./routes/agent-new.tsx"), "NewAgentPage"),
});

const agent = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/$id",
  validateSearch: readAgentSearch,
  component: lazyRouteComponent(() => import("./routes/agent.tsx"), "AgentPage"),
});

/** The settings; each tab is a route below. `features/settings/tabs.ts` names them. */
const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyRouteComponent(() => import("./routes/settings.tsx"), "SettingsPage"),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad({ params }) {
    throw redirect({ to: "/w/$workspace/settings/workspace", params, replace: true });
  },
});

const modelSettings = createRoute({
  getParentRoute: () => settings,
  path: "/models",
  validateSearch: readModelsSearch,
  component: lazyRouteComponent(() => import("./routes/settings-models.tsx"), "ModelSettings"),
});

const marketplace = createRoute({
  getParentRoute: () => workspace,
  path: "/marketplace",
  validateSearch: readMarketplaceSearch,
  component: lazyRouteComponent(() => import("./routes/marketplace.tsx"), "MarketplacePage"),
});

const protocols = createRoute({
  getParentRoute: () => workspace,
  path: "/protocols",
  validateSearch: readProtocolsSearch,
  component: lazyRouteComponent(() => import("./routes/protocols.tsx"), "ProtocolsPage"),
});

const schedules = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => import("./routes/schedules.tsx"), "SchedulesPage"),
});

const schedule = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules/$id",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => import("./routes/schedule.tsx"), "SchedulePage"),
});

const triggers = createRoute({
  getParentRoute: () => workspace,
  path: "/triggers",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => import("./routes/triggers.tsx"), "TriggersPage"),
});

const trigger = createRoute({
  getParentRoute: () => workspace,
  path: "/triggers/$id",
  validateSearch: readPlannedSearch,
  component: lazyRouteComponent(() => import("./routes/trigger.tsx"), "TriggerPage"),
});

const destinations = createRoute({
  getParentRoute: () => workspace,
  path: "/destinations",
  validateSearch: readDestinationsSearch,
  component: lazyRouteComponent(() => import("./routes/destinations.tsx"), "DestinationsPage"),
});

const destination = createRoute({
  getParentRoute: () => workspace,
  path: "/destinations/$id",
  validateSearch: readDestinationsSearch,
  component: lazyRouteComponent(() => import("./routes/destination.tsx"), "DestinationPage"),
});

const workspaceSettings = createRoute({
  getParentRoute: () => settings,
  path: "/workspace",
  component: lazyRouteComponent(() => import("./routes/settings-workspace.tsx"), "WorkspaceSettings"),
});

const memberSettings = createRoute({
  getParentRoute: () => settings,
  path: "/members",
  validateSearch: readNewSearch,
  component: lazyRouteComponent(() => import("./routes/settings-members.tsx"), "MemberSettings"),
});

const keySettings = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  validateSearch: readNewSearch,
  component: lazyRouteComponent(() => import("./routes/settings-keys.tsx"), "KeySettings"),
});

const auditSettings = createRoute({
  getParentRoute: () => settings,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("./routes/settings-audit.tsx"), "AuditSettings"),
});

const profileSettings = createRoute({
  getParentRoute: () => settings,
  path: "/profile",
  component: lazyRouteComponent(() => import("./routes/settings-profile.tsx"), "ProfileSettings"),
});

const usage = createRoute({
  getParentRoute: () => workspace,
  path: "/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("./routes/usage.tsx"), "UsagePage"),
});

/** The router of the console; its types make a wrong link an error of the compiler. */
export const router = createRouter({
  routeTree: root.addChildren([
    index,
    setup,
    signIn,
    signUp,
    reset,
    invite,
    runLink,
    answerLink,
    tokenLink,
    workspace.addChildren([
      agents,
      agentNew,
      agent,
      home,
      questions,
      runs,
      compare,
      run,
      files,
      knowledge,
      marketplace,
      protocols,
      schedules,
      schedule,
      triggers,
      trigger,
      destinations,
      destination,
      teams,
      team,
      settings.addChildren([
        settingsStart,
        workspaceSettings,
        memberSettings,
        keySettings,
        modelSettings,
        auditSettings,
        profileSettings,
      ]),
      usage,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
  defaultPendingMs: 150,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

function homeOf({ workspaces, workspace_id: id }: Access): string {
  const own = findWorkspace(workspaces, id);
  return own === undefined ? id : slugOf(own);
}

async function workspaceOf(id: string, href: string): Promise<string> {
  const access = await resumeSession();
  if (access === undefined) throw redirect({ to: "/sign-in", search: { next: href }, replace: true });
  return (await locate(id)) ?? homeOf(access);
}
