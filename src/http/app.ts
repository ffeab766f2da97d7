import { OpenAPIHono } from "@hono/zod-openapi";
import { AppError } from "#domain/errors.ts";
import { a2a, isA2aPath } from "./a2a/a2a.ts";
import { agUi } from "./ag-ui/ag-ui.ts";
import { answerError } from "./answer-error.ts";
import { addAccounts } from "./auth/accounts.ts";
import { envelopeCaller, keyScope } from "./authenticate.ts";
import { addAgentVersions } from "./console/agent-versions.ts";
import { addInvitations } from "./console/invitations.ts";
import { addKeys } from "./console/keys.ts";
import { addMembers } from "./console/members.ts";
import { addBudgets } from "./console/budgets.ts";
import { addExports } from "./console/exports.ts";
import { addMarketplace } from "./console/marketplace.ts";
import { addWorkspaces } from "./console/workspaces.ts";
import { knowledgeBases } from "./console/knowledge-bases.ts";
import { DOCUMENTS, UPLOADS, addKnowledge } from "./console/knowledge.ts";
import { outputTemplates } from "./console/output-templates.ts";
import { addProviderKeys } from "./console/provider-keys.ts";
import { addTaskRetries } from "./console/retry-tasks.ts";
import { addRunForks } from "./console/run-forks.ts";
import { addTeamMemories } from "./console/team-memories.ts";
import { addSaved } from "./console/saved.ts";
import { addMcpServers } from "./console/mcp-servers.ts";
import { addRemoteAgents } from "./console/remote-agents.ts";
import { addTools } from "./console/tools.ts";
import { addUsage } from "./console/usage.ts";
import { addGoogle } from "./console/google.ts";
import { addTrelloChannels } from "./console/trello-channels.ts";
import { addConsoleHooks } from "./console/hooks.ts";
import { addDeliveries } from "./console/deliveries.ts";
import { addRoutes } from "./console/routes.ts";
import { addSchedules } from "./console/schedules.ts";
import { addTriggers } from "./console/triggers.ts";
import { voiceProfiles } from "./console/voice-profiles.ts";
import { addAnswers } from "./console/answers.ts";
import type { HttpEnv, HttpServices } from "./context.ts";
import { cors } from "./cors.ts";
import { addAgents } from "./envelope/agents.ts";
import { addHooks } from "./envelope/hooks.ts";
import type { Api } from "./envelope/route.ts";
import { addMe } from "./envelope/me.ts";
import { apiVersion } from "./envelope/respond.ts";
import { addRuns } from "./envelope/runs.ts";
import { addTasks } from "./envelope/tasks.ts";
import { addTeams } from "./envelope/teams.ts";
import { download } from "./files/download.ts";
import { addFiles } from "./files/files.ts";
import { addHooksIn } from "./hooks-in.ts";
import { addInboundTrello } from "./inbound-trello.ts";
import { limitBody } from "./limit-body.ts";
import { logRequests } from "./log-requests.ts";
import { MCP_PATH, mcp } from "./mcp/mcp.ts";
import { OPENAI_ROOT, openAi } from "./openai/openai.ts";
import { openApi } from "./openapi.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { rateLimit } from "./rate-limit.ts";
import { respondReadiness } from "./readiness.ts";
import { requestId } from "./request-id.ts";
import { tableOptions } from "./table/allow.ts";
import { TABLE_ROOT } from "./table/root.ts";
import { tableApi } from "./table/table-api.ts";

/** Methods whose requests bring no body; asking for it would make Node build the whole request object. */
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS"]);
/** What a form adds to the file in it, at most. */
const FORM_BYTES = 65_536;

/** All surfaces of the service in one application. */
export function createApp(services: HttpServices): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  const api: Api = { app, services };
  app.use(requestId());
  app.use(logRequests(services.log));
  app.options(`${TABLE_ROOT}/*`, tableOptions());
  app.use(cors());
  app.use(protectiveHeaders());
  // Before anything else can refuse a request: every answer tells how the workspace's window stands.
  app.use("/functions/v1/*", envelopeCaller(services), rateLimit(services));
  app.get("/files/:id", download(services));
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
    // A2A limits its bodies itself, once it knows their sender.
    if (WITHOUT_BODY.has(c.req.method) || isA2aPath(c.req.path)) return next();
    return (byPath.get(c.req.path) ?? limit)(c, next);
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "accessToken", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
  });
  app.onError((error, c) => answerError(services, error, c));
  app.notFound((c) => answerError(services, new AppError("not_found", `Not found: ${c.req.path}`), c));

  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => respondReadiness(c, await services.findUnready()));
  app.route("/ag-ui", agUi(services));
  app.route(MCP_PATH, mcp(services));
  app.route("/", a2a(services));
  app.route(OPENAI_ROOT, openAi(services));
  app.route(TABLE_ROOT, tableApi(services));
  addAccounts(api);
  app.use("/functions/v1/*", keyScope(), apiVersion());
  addAgents(api);
  addTasks(api);
  addTeams(api);
  addRuns(api);
  addHooks(api);
  addMe(api);
  app.use("/files/*", keyScope(), apiVersion());
  addFiles(api);
  app.use("/console/api/*", envelopeCaller(services), rateLimit(services), keyScope());
  addKeys(api);
  addProviderKeys(api);
  addTools(api);
  addRemoteAgents(api);
  addMcpServers(api);
  addMembers(api);
  addInvitations(api);
  addWorkspaces(api);
  addExports(api);
  addAgentVersions(api);
  addMarketplace(api);
  addSaved(api, voiceProfiles);
  addSaved(api, outputTemplates);
  app.use("/console/api/knowledge/*", apiVersion());
  addSaved(api, knowledgeBases);
  addKnowledge(api);
  addAnswers(api);
  addRunForks(api);
  addTaskRetries(api);
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

function tooLarge(maxBytes: number, what: "body" | "file" | "document"): never {
  throw new AppError("payload_too_large", `The ${what} is longer than ${maxBytes} bytes.`);
}
