import { a2aClient } from "./a2a-client.ts";
import { a2a } from "./a2a.ts";
import { accounts } from "./accounts.ts";
import { agUiEvents } from "./ag-ui-events.ts";
import { agUiStandard } from "./ag-ui-standard.ts";
import { agUi } from "./ag-ui.ts";
import { agentPages } from "./agent-pages.ts";
import { agentScreens } from "./agent-screens.ts";
import { agentVersions } from "./agent-versions.ts";
import { agents } from "./agents.ts";
import { alerts } from "./alerts.ts";
import { approvals } from "./approvals.ts";
import { attachments } from "./attachments.ts";
import { audit } from "./audit.ts";
import { auth } from "./auth.ts";
import { budgets } from "./budgets.ts";
import { channels } from "./channels.ts";
import { cli } from "./cli.ts";
import { client } from "./client.ts";
import { connect } from "./connect.ts";
import { consoleRun } from "./console-run.ts";
import { consoleScreens } from "./console-screens.ts";
import { console } from "./console.ts";
import { destinations } from "./destinations.ts";
import { docs } from "./docs.ts";
import { engine } from "./engine.ts";
import { envelope } from "./envelope.ts";
import { errors } from "./errors.ts";
import { estimates } from "./estimates.ts";
import { exports } from "./exports.ts";
import { gallery } from "./gallery.ts";
import { golden } from "./golden.ts";
import { hardening } from "./hardening.ts";
import { hooks } from "./hooks.ts";
import { interactions } from "./interactions.ts";
import { keys } from "./keys.ts";
import { knowledge } from "./knowledge.ts";
import { limits } from "./limits.ts";
import { longConversations } from "./long-conversations.ts";
import { live } from "./live.ts";
import { marketplace } from "./marketplace.ts";
import { mcp } from "./mcp.ts";
import { me } from "./me.ts";
import { modelGates } from "./model-gates.ts";
import { models } from "./models.ts";
import { move } from "./move.ts";
import { names } from "./names.ts";
import { openai } from "./openai.ts";
import { openapi } from "./openapi.ts";
import { operations } from "./operations.ts";
import { ops } from "./ops.ts";
import { overview } from "./overview.ts";
import { pages } from "./pages.ts";
import { pagination } from "./pagination.ts";
import { pause } from "./pause.ts";
import { performance } from "./performance.ts";
import { proxy } from "./proxy.ts";
import { providers } from "./providers.ts";
import { questions } from "./questions.ts";
import { reasoning } from "./reasoning.ts";
import { replies } from "./replies.ts";
import { resources } from "./resources.ts";
import type { Requirement } from "./requirement.ts";
import { routes } from "./routes.ts";
import { runPage } from "./run-page.ts";
import { runs } from "./runs.ts";
import { schedules } from "./schedules.ts";
import { start } from "./start.ts";
import { streams } from "./streams.ts";
import { tableApi } from "./table-api.ts";
import { tasks } from "./tasks.ts";
import { consoleDialogs } from "./console-dialogs.ts";
import { teamScreens } from "./team-screens.ts";
import { teams } from "./teams.ts";
import { templates } from "./templates.ts";
import { tenancy } from "./tenancy.ts";
import { tools } from "./tools.ts";
import { traces } from "./traces.ts";
import { triggers } from "./triggers.ts";
import { usage } from "./usage.ts";
import { versioning } from "./versioning.ts";
import { voice } from "./voice.ts";
import { workshop } from "./workshop.ts";

const areas = {
  a2a,
  a2aClient,
  accounts,
  agUi,
  agUiEvents,
  agUiStandard,
  agentPages,
  agentScreens,
  agentVersions,
  agents,
  approvals,
  attachments,
  audit,
  auth,
  alerts,
  budgets,
  channels,
  cli,
  client,
  connect,
  console,
  consoleScreens,
  consoleRun,
  destinations,
  docs,
  engine,
  envelope,
  errors,
  estimates,
  exports,
  gallery,
  golden,
  hardening,
  hooks,
  interactions,
  keys,
  knowledge,
  limits,
  live,
  longConversations,
  marketplace,
  mcp,
  me,
  modelGates,
  models,
  move,
  names,
  openai,
  openapi,
  operations,
  ops,
  overview,
  pages,
  pagination,
  pause,
  performance,
  providers,
  proxy,
  questions,
  reasoning,
  replies,
  resources,
  routes,
  runPage,
  runs,
  schedules,
  start,
  streams,
  tableApi,
  tasks,
  consoleDialogs,
  teamScreens,
  teams,
  templates,
  tenancy,
  tools,
  traces,
  triggers,
  usage,
  versioning,
  voice,
  workshop,
} as const;

/** The id of a requirement: area, topic and fact, parted by dots. */
export type RequirementId = {
  [A in keyof typeof areas]: keyof (typeof areas)[A];
}[keyof typeof areas];

/** Every requirement of the service by its id. Ids of different areas cannot collide: each starts with its area. */
export const requirements: ReadonlyMap<string, Requirement> = new Map(
  Object.values(areas).flatMap((area) => Object.entries<Requirement>(area)),
);
