import { OpenAPIHono } from "@hono/zod-openapi";
import { AppError } from "#domain/errors.ts";
import { a2a, isA2aPath } from "./a2a/a2a.ts";
import { agUi } from "./ag-ui/ag-ui.ts";
import { describeAgUi } from "./ag-ui/describe.ts";
import { answerError } from "./answer-error.ts";
import { addAccounts } from "./auth/accounts.ts";
import { envelopeCaller, keyScope } from "./middleware/authenticate.ts";
import { addAgentStats } from "./api/agents/agent-stats.ts";
import { addUsedBy } from "./api/agents/used-by.ts";
import { addAgentVersions } from "./api/agents/agent-versions.ts";
import { addAudit } from "./api/access/audit.ts";
import { addInvitations } from "./api/access/invitations.ts";
import { addKeys } from "./api/access/keys.ts";
import { addMembers } from "./api/access/members.ts";
import { addBudgets } from "./api/budgets/budgets.ts";
import { addExports } from "./api/agents/exports.ts";
import { addMarketplace } from "./api/agents/marketplace.ts";
import { addWorkspaces } from "./api/access/workspaces.ts";
import { knowledgeBases } from "./api/knowledge/knowledge-bases.ts";
import { DOCUMENTS, UPLOADS, addKnowledge } from "./api/knowledge/knowledge.ts";
import { outputTemplates } from "./api/agents/output-templates.ts";
import { addProviderKeys } from "./api/access/provider-keys.ts";
import { addLive } from "./api/streams/live.ts";
import { addSearch } from "./api/access/search.ts";
import { addRunList } from "./api/runs/list-runs.ts";
import { addOverview } from "./api/runs/overview.ts";
import { addModels } from "./api/models/models.ts";
import { addAnswerLinks } from "./api/tasks/answer-links.ts";
import { addQuestions } from "./api/tasks/questions.ts";
import { addFailedRetries } from "./api/tasks/retry-failed.ts";
import { addBulkRuns } from "./api/runs/change-runs.ts";
import { addConsoleRuns } from "./api/runs/runs.ts";
import { addRunForks } from "./api/runs/run-forks.ts";
import { addTeamMemories } from "./api/teams/team-memories.ts";
import { addSaved } from "./api/agents/saved.ts";
import { addMcpServers } from "./api/protocols/mcp-servers.ts";
import { addPublished } from "./api/protocols/published.ts";
import { addRemoteAgents } from "./api/protocols/remote-agents.ts";
import { addTools } from "./api/tools/tools.ts";
import { addUsage } from "./api/budgets/usage.ts";
import { addGoogle } from "./api/destinations/google.ts";
import { addTrelloChannels } from "./api/destinations/trello-channels.ts";
import { addConsoleHooks } from "./api/destinations/webhook-subscriptions.ts";
import { addDeliveries } from "./api/destinations/deliveries.ts";
import { addRoutes } from "./api/destinations/routes.ts";
import { addSchedules } from "./api/schedules/schedules.ts";
import { addTriggers } from "./api/schedules/triggers.ts";
import { voiceProfiles } from "./api/agents/voice-profiles.ts";
import { addAnswers } from "./api/tasks/answers.ts";
import type { HttpEnv, HttpServices } from "./context.ts";
import { cors } from "./middleware/cors.ts";
import { addAgents } from "./api/agents/agents.ts";
import { addHooks } from "./api/destinations/hooks.ts";
import type { Api } from "./api/shape/route.ts";
import { addMe } from "./api/access/me.ts";
import { VERSIONED_ROOTS, registerComponents } from "./api/shape/components.ts";
import { apiVersion } from "./api/shape/respond.ts";
import { addRuns } from "./api/teams/runs.ts";
import { addTasks } from "./api/tasks/tasks.ts";
import { addTeams } from "./api/teams/teams.ts";
import { download } from "./api/files/download.ts";
import { addFiles } from "./api/files/files.ts";
import { preview } from "./api/files/preview.ts";
import { addHooksIn } from "./api/schedules/hooks-in.ts";
import { addInboundTrello } from "./api/destinations/inbound-trello.ts";
import { limitBody } from "./middleware/limit-body.ts";
import { logRequests } from "./middleware/log-requests.ts";
import { MCP_PATH, mcp } from "./mcp/mcp.ts";
import { OPENAI_ROOT, openAi } from "./openai/openai.ts";
import { openApi } from "./openapi.ts";
import { protectiveHeaders } from "./middleware/protective-headers.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { pages } from "./pages.ts";
import { respondReadiness } from "./readiness.ts";
import { referencePage } from "./reference-page.ts";
import { addVersion } from "./version.ts";
import { requestId } from "./middleware/request-id.ts";
import { tableOptions } from "./table/allow.ts";
import { describeTableApi } from "./table/describe.ts";
import { TABLE_ROOT } from "./table/root.ts";
import { tableApi } from "./table/table-api.ts";

/** Methods without a body; reading it would make Node build the whole request object. */
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS"]);
/** The maximum size of a form besides its file. */
const FORM_BYTES = 65_536;

/** Creates one application with all surfaces of the service. */
export function createApp(services: HttpServices): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  const api: Api = { app, services };
  app.use(requestId());
  app.use(logRequests(services));
  let roots: ReadonlySet<string> | undefined;
  app.use(pages({ build: services.console, apiRoots: () => (roots ??= rootsOf(app)) }));
  app.options(`${TABLE_ROOT}/*`, tableOptions());
  app.use(cors());
  app.use(protectiveHeaders());
  // First, so that every response, errors included, has the rate limit headers.
  app.use("/functions/v1/*", envelopeCaller(services), rateLimit(services));
  app.get("/files/:id", download(services));
  app.get("/files/:id/preview", preview(services));
  app.use("/files/*", envelopeCaller(services), rateLimit(services));
  const limitOf = (maxSize: number, what: "body" | "file" | "document", around = 0) =>
    limitBody(maxSize + around, () => tooLarge(maxSize, what));
  const limit = limitOf(services.maxBodyBytes, "body");
  const fileLimit = limitOf(services.maxFileBytes, "file", FORM_BYTES);
  const documentLimit = limitOf(services.maxDocumentBytes, "document", FORM_BYTES);
  const byPath = new Map([
    ["/files", fileLimit],
    [UPLOADS, documentLimit],
    [DOCUMENTS, documentLimit],
  ]);
  app.use((c, next) => {
    // A2A limits its bodies itself, after authentication.
    if (WITHOUT_BODY.has(c.req.method) || isA2aPath(c.req.path)) return next();
    return (byPath.get(c.req.path) ?? limit)(c, next);
  });
  registerComponents(app.openAPIRegistry);
  app.onError((error, c) => answerError(services, error, c));
  app.notFound((c) => answerError(services, new AppError("not_found", `Not found: ${c.req.path}`), c));

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => respondReadiness(c, await services.findUnready()));
  addVersion(api);
  app.route("/docs", referencePage());
  app.route("/ag-ui", agUi(services));
  describeAgUi(app.openAPIRegistry);
  app.route(MCP_PATH, mcp(services));
  app.route("/", a2a(services));
  app.route(OPENAI_ROOT, openAi(services));
  app.route(TABLE_ROOT, tableApi(services));
  describeTableApi(app.openAPIRegistry);
  addAccounts(api);
  app.use("/functions/v1/*", keyScope());
  app.use("/files/*", keyScope());
  app.use("/console/api/*", envelopeCaller(services), rateLimit(services), keyScope());
  for (const root of VERSIONED_ROOTS) app.use(`${root}/*`, apiVersion());
  addAgents(api);
  addTasks(api);
  addTeams(api);
  addRuns(api);
  addHooks(api);
  addMe(api);
  addFiles(api);
  addKeys(api);
  addProviderKeys(api);
  addModels(api);
  addRunList(api);
  addOverview(api);
  addSearch(api);
  addQuestions(api);
  addAnswerLinks(api);
  addLive(api);
  addTools(api);
  addRemoteAgents(api);
  addMcpServers(api);
  addPublished(api);
  addMembers(api);
  addInvitations(api);
  addAudit(api);
  addWorkspaces(api);
  addExports(api);
  addAgentVersions(api);
  addAgentStats(api);
  addUsedBy(api);
  addMarketplace(api);
  addSaved(api, voiceProfiles);
  addSaved(api, outputTemplates);
  addSaved(api, knowledgeBases);
  addKnowledge(api);
  addAnswers(api);
  addFailedRetries(api);
  addBulkRuns(api);
  addConsoleRuns(api);
  addRunForks(api);
  addTeamMemories(api);
  addUsage(api);
  addBudgets(api);
  addSchedules(api);
  addTriggers(api);
  addRoutes(api);
  addDeliveries(api);
  addConsoleHooks(api);
  addGoogle(api);
  addTrelloChannels(api);
  addHooksIn(api);
  app.get("/openapi.json", openApi(api));
  addInboundTrello(api);
  return app;
}

/** Returns the first segments of all served paths, such as `auth`. */
function rootsOf({ routes }: OpenAPIHono<HttpEnv>): ReadonlySet<string> {
  return new Set(routes.map(({ path }) => path.split("/")[1] ?? "").filter((root) => /^[\w.-]+$/.test(root)));
}

function tooLarge(maxBytes: number, what: "body" | "file" | "document"): never {
  throw new AppError("payload_too_large", `The ${what} is longer than ${maxBytes} bytes.`);
}
