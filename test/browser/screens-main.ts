import { z } from "zod";
import { eventually } from "../support/eventually.ts";
import { seedAgents } from "./agents-seed.ts";
import type { AgentsSeed } from "./agents-seed.ts";
import { fillOverview } from "./overview-scene.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { seedBuild } from "./seed-build.ts";
import type { BuildSeed } from "./seed-build.ts";
import type { SweptScene } from "./sweep-screens.ts";

const record = z.object({ id: z.string() });

/** A screen to check: its name, its URL, and what it shows when it is complete. */
interface Screen {
  readonly name: string;
  readonly path: (ids: Ids) => string;
  readonly shows: string;
  readonly isPublic?: true;
}

interface Ids {
  readonly agents: AgentsSeed;
  readonly build: BuildSeed;
  readonly done: string;
  readonly waiting: string;
  /** Like the first, with another output. */
  readonly again: string;
}

const SCREENS: readonly Screen[] = [
  { name: "sign-in", path: () => "/sign-in", shows: "Sign in", isPublic: true },
  { name: "sign-up", path: () => "/sign-up", shows: "Create your account", isPublic: true },
  { name: "setup-used", path: () => "/setup#token=none", shows: "This link can't be used", isPublic: true },
  { name: "not-found", path: () => "/no-such-page", shows: "Page not found", isPublic: true },
  { name: "home", path: () => "/w/my-workspace", shows: "Last 14 days" },
  { name: "usage", path: () => "/w/my-workspace/usage", shows: "Show as table" },
  { name: "usage-model-tokens", path: () => "/w/my-workspace/usage?by=model&of=tokens&days=7", shows: "in total" },
  { name: "usage-budget", path: () => "/w/my-workspace/usage?budget=new", shows: "Save budget" },
  { name: "alerts", path: () => "/w/my-workspace/alerts", shows: "No alerts yet" },
  { name: "alerts-new", path: () => "/w/my-workspace/alerts?alert=new", shows: "Save alert" },
  { name: "settings-workspace", path: () => "/w/my-workspace/settings/workspace", shows: "Files and documents" },
  { name: "settings-members", path: () => "/w/my-workspace/settings/members", shows: "Withdraw" },
  { name: "settings-members-add", path: () => "/w/my-workspace/settings/members?add=yes", shows: "Create link" },
  {
    name: "settings-service-accounts",
    path: () => "/w/my-workspace/settings/service-accounts",
    shows: "No service accounts yet",
  },
  {
    name: "settings-service-accounts-add",
    path: () => "/w/my-workspace/settings/service-accounts?add=yes",
    shows: "Create account",
  },
  { name: "settings-keys", path: () => "/w/my-workspace/settings/keys", shows: "Revoke" },
  { name: "settings-keys-add", path: () => "/w/my-workspace/settings/keys?add=yes", shows: "Create key" },
  { name: "settings-audit", path: () => "/w/my-workspace/settings/audit", shows: "Created the" },
  { name: "settings-profile", path: () => "/w/my-workspace/settings/profile", shows: "This one" },
  { name: "runs", path: () => "/w/my-workspace/runs", shows: "Draft a reply to the press" },
  { name: "runs-empty", path: () => "/w/my-workspace/runs?q=nothing-like-this", shows: "No run matches these filters" },
  { name: "run", path: ({ done }) => `/w/my-workspace/runs/${done}`, shows: "(example.org)" },
  { name: "run-steps", path: ({ done }) => `/w/my-workspace/runs/${done}?view=timeline`, shows: "Model call 2" },
  {
    name: "run-prompt",
    path: ({ done }) => `/w/my-workspace/runs/${done}?step=model%3A1&tab=prompt`,
    shows: "Copy as curl",
  },
  { name: "run-waiting", path: ({ waiting }) => `/w/my-workspace/runs/${waiting}`, shows: "Refund order 4711?" },
  {
    name: "compare",
    path: ({ done, again }) => `/w/my-workspace/runs/compare?a=${done}.1&b=${again}.1&pair=a%3Amodel%3A1`,
    shows: "whole",
  },
  { name: "compare-empty", path: () => "/w/my-workspace/runs/compare", shows: "Choose two runs" },
  { name: "questions", path: () => "/w/my-workspace/questions", shows: "Handle the return of order 4711" },
  { name: "answer", path: ({ waiting }) => `/r/${waiting}/answer`, shows: "Refund order 4711?" },
  { name: "agents", path: () => "/w/my-workspace/agents", shows: "Invoice clerk" },
  { name: "agents-empty", path: () => "/w/my-workspace/agents?q=nothing-like-this", shows: "No agent matches" },
  { name: "agent-new", path: () => "/w/my-workspace/agents/new", shows: "Create agent" },
  { name: "agent-templates", path: () => "/w/my-workspace/agents/new?template=all", shows: "Inbox sorter" },
  {
    name: "agent-template",
    path: () => "/w/my-workspace/agents/new?template=researcher",
    shows: "You research questions on the web.",
  },
  {
    name: "agent",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}`,
    shows: "find_invoice",
  },
  {
    name: "agent-try",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=try`,
    shows: "Say something.",
  },
  {
    name: "agent-versions",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=versions&version=2`,
    shows: "Restore version",
  },
  {
    name: "agent-golden",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=golden`,
    shows: "1 of 1 cases passed",
  },
  {
    name: "agent-publish",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=publish`,
    shows: "invoice_clerk",
  },
  {
    name: "agent-runs",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=runs`,
    shows: "Median duration",
  },
  {
    name: "agent-used-by",
    path: ({ agents }) => `/w/my-workspace/agents/${agents.agent}?tab=used-by`,
    shows: "Runs in progress",
  },
  { name: "tools", path: () => "/w/my-workspace/tools", shows: "find_invoice" },
  { name: "tool", path: ({ agents }) => `/w/my-workspace/tools?tool=${agents.tool}`, shows: "No calls yet" },
  { name: "tool-new", path: () => "/w/my-workspace/tools?tool=new", shows: "Create tool" },
  { name: "settings-models", path: () => "/w/my-workspace/settings/models", shows: "Built in, needs no key" },
  {
    name: "settings-models-key",
    path: () => "/w/my-workspace/settings/models?provider=anthropic",
    shows: "Stored encrypted",
  },
  { name: "settings-approvals", path: () => "/w/my-workspace/settings/approvals", shows: "No rules yet" },
  { name: "settings-voices", path: () => "/w/my-workspace/settings/voices", shows: "Plain and kind" },
  { name: "settings-voices-new", path: () => "/w/my-workspace/settings/voices?open=new", shows: "Save voice" },
  { name: "settings-templates", path: () => "/w/my-workspace/settings/templates", shows: "Memo" },
  {
    name: "settings-templates-new",
    path: () => "/w/my-workspace/settings/templates?open=new",
    shows: "Save template",
  },
  { name: "files", path: () => "/w/my-workspace/files", shows: "returns.csv" },
  { name: "files-empty", path: () => "/w/my-workspace/files?q=nothing-like-this", shows: "No file matches" },
  {
    name: "file-preview",
    path: ({ build }) => `/w/my-workspace/files?file=${build.page}`,
    shows: "Given to work",
  },
  { name: "knowledge", path: () => "/w/my-workspace/knowledge", shows: "Lost property" },
  {
    name: "knowledge-search",
    path: ({ build }) => `/w/my-workspace/knowledge?view=search&base=${build.base}&ask=lost+property`,
    shows: "six weeks",
  },
  { name: "knowledge-add", path: () => "/w/my-workspace/knowledge?add=documents", shows: "Choose files" },
  { name: "team", path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}`, shows: "Result" },
  {
    name: "team-json",
    path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}?view=json`,
    shows: "Config as JSON",
  },
  {
    name: "team-memory",
    path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}?tab=memory`,
    shows: "No memories",
  },
  { name: "team-orchestrator", path: ({ build }) => `/w/my-workspace/teams/${build.orchestrator}`, shows: "Workers" },
  { name: "team-run", path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}?run=new`, shows: "Cap in USD" },
  { name: "team-runs", path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}?tab=runs`, shows: "No runs yet" },
  {
    name: "team-used-by",
    path: ({ build }) => `/w/my-workspace/teams/${build.pipeline}?tab=used-by`,
    shows: "Its agents",
  },
  { name: "teams", path: () => "/w/my-workspace/teams", shows: "Draft, cannot run" },
  { name: "teams-import", path: () => "/w/my-workspace/teams?add=import", shows: "as exported here" },
  { name: "team-templates", path: () => "/w/my-workspace/teams?add=template", shows: "Three reviewers" },
  {
    name: "team-template",
    path: () => "/w/my-workspace/teams?add=template&template=research-desk",
    shows: "Model of its agents",
  },
  { name: "teams-new", path: () => "/w/my-workspace/teams?add=team", shows: "Create team" },
  { name: "new-task", path: () => "/w/my-workspace/runs?new=task", shows: "Give task" },
];

const SOURCE =
  "[[say:**Release 4.2** finds parts of words, and exports all columns. See [the notes](https://example.org/notes) or run `export --all`.]]";

/** Opens a workspace in which every screen but those of Connect and of questions has something to show. */
export async function openMainScreens(): Promise<SweptScene> {
  const scene = await openScene();
  const ids = await fill(scene);
  await fillOverview(scene);
  const screensOf = (isPublic: boolean) =>
    SCREENS.filter((screen) => (screen.isPublic === true) === isPublic).map(({ name, path, shows }) => {
      return { name, url: scene.service.url + path(ids), shows };
    });
  return {
    scene,
    mayFail: ["/auth/setup", "/no-such-page"],
    withoutSession: screensOf(true),
    screens: screensOf(false),
    close: () => scene.service.stop(),
  };
}

/** One run in each state. */
async function fill(scene: Scene): Promise<Ids> {
  const { api } = scene;
  const agent = async (name: string, tools: readonly string[]) =>
    record.parse((await api.post("/api-agents", { name, model: "demo", tools })).body).id;
  const [writer, support] = [
    await agent("Release writer", ["current_time"]),
    await agent("Support", ["request_approval"]),
  ];
  const give = async (title: string, description: string, assigned_agent_id: string | null = writer) =>
    record.parse((await api.post("/api-tasks", { title, description, assigned_agent_id })).body).id;
  const question = {
    title: "Refund order 4711?",
    description: "The customer **returned** the lamp on Monday. The refund is $84.00.",
    timeoutMs: 86_400_000,
  };
  const done = await give("Summarise the release notes", `[[tool:current_time {"time_zone":"Asia/Tokyo"}]]\n${SOURCE}`);
  const again = await give(
    "Summarise the release notes again",
    `[[tool:current_time {"time_zone":"Asia/Tokyo"}]]\n${SOURCE.replace("parts of words", "whole words")}`,
  );
  const waiting = await give(
    "Handle the return of order 4711",
    `[[tool:request_approval ${JSON.stringify(question)}]]`,
    support,
  );
  const failed = await give("Translate the handbook", "[[fail:The model refused the request.]]");
  await give("Write the newsletter for December", "", null);
  for (const title of ["Draft a reply to the press", "Check yesterday's invoices", "Compare three suppliers for paper"])
    await give(title, "[[say:Done.]]");
  const statusOf = async (id: string) =>
    z.object({ status: z.string() }).parse((await api.get(`/api-tasks?id=${id}`)).body).status;
  await eventually(
    "the tasks are in their states",
    async () =>
      (await statusOf(done)) === "completed" &&
      (await statusOf(again)) === "completed" &&
      (await statusOf(waiting)) === "waiting_for_input" &&
      (await statusOf(failed)) === "failed",
  );
  return { done, waiting, again, agents: await seedAgents(scene), build: await seedBuild(scene) };
}
