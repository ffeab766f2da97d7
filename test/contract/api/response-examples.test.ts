import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { generateKey } from "#domain/access/api-key.ts";
import { bearer, sessionOf, signIn } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { send } from "../../support/api.ts";
import type { Answer, Sent } from "../../support/api.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { asPerson } from "../../support/passkeys.ts";
import { eventually } from "../../support/eventually.ts";
import { shapeOf, startExampleRecording } from "../../support/checks/example-recorder.ts";
import type { ExampleRecorder } from "../../support/checks/example-recorder.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { callOf } from "../../support/interactions.ts";
import { openRequest, registerApp } from "../../support/mcp/app-client.ts";
import { startOAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import type { OAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { runMuster } from "../../support/muster.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const ADA = { email: "ada@example.org", password: "correct horse battery" };
const GRACE = { email: "grace@example.org", password: "a nanosecond of wire" };
const ASKS = callOf("request_approval", { title: "Publish it?", timeoutMs: 3_600_000 });

const CLAIMS = Buffer.from(JSON.stringify({ email: "ada@example.org" })).toString("base64url");
/** What Google's token endpoint grants. */
const GRANT = {
  access_token: "access",
  refresh_token: "refresh",
  id_token: `e30.${CLAIMS}.x`,
  expires_in: 3_600,
  token_type: "Bearer",
};

const identified = z.looseObject({ id: z.string() });
const linked = z.looseObject({ link: z.string() });
const shownSteps = z.object({ steps: z.array(z.looseObject({ key: z.string() })) });
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });
const people = z.array(z.looseObject({ user_id: z.string(), email: z.string() }));
const ending = z.looseObject({ status: z.string() });
const ended = z.looseObject({ status: z.enum(["completed", "failed", "cancelled"]) });

let service: TestService;
let remote: RemoteAgent;
let mcp: McpServer;
let signedIn: OAuthMcpServer;
let receiver: FakeServer;
let google: FakeServer;
let recorder: ExampleRecorder;
let owner: Sent["headers"] = {};

beforeAll(async () => {
  google = await startFakeServer((_, response) => answerJson(response, GRANT));
  const client = { GOOGLE_OAUTH_CLIENT_ID: "client", GOOGLE_OAUTH_CLIENT_SECRET: "secret" };
  [service, remote, mcp, signedIn, receiver] = await Promise.all([
    startService({
      env: { SIGN_UP: "open", ALLOW_PRIVATE_URLS: "true", ...client, GOOGLE_OAUTH_BASE: google.url },
    }),
    startRemoteAgent({ protocol: "1.0", name: "Translator" }),
    startMcpServer("stateless"),
    startOAuthMcpServer(),
    startFakeServer((_, response) => answerJson(response, { received: true })),
  ]);
  recorder = startExampleRecording([
    [service.url, "http://127.0.0.1:4400"],
    [remote.url, "https://agents.example.org/translator"],
    [mcp.url, "https://mcp.example.org/mcp"],
    [signedIn.url, "https://mail.example.org/mcp"],
    [signedIn.issuer, "https://mail.example.org"],
    [receiver.url, "https://example.org"],
    [google.url, "https://accounts.google.com"],
  ]);
});
afterAll(() =>
  Promise.all([service.stop(), remote.close(), mcp.close(), signedIn.close(), receiver.close(), google.close()]),
);

verifies(
  "openapi.response-examples.recorded",
  "examples of answers have the fields that the service answers with; RECORD=1 records them again",
  async () => {
    await recordAccounts();
    await recordAgents();
    await recordQuestions();
    await recordTeams();
    await recordTeamQuestions();
    await recordOtherParties();
    await recordDeliveries();
    await recordPasskeys();
    if (process.env["RECORD"] === "1") recorder.save();
    expect(shapeOf(recorder.committed())).toEqual(shapeOf(recorder.examples()));
  },
  { tags: "slow" },
);

/** Calls an operation and keeps its answer as the operation's example. */
async function kept(operationId: string, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return recorder.keep(operationId, await call(method, path, sent));
}

function call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  return send(method, service.url + path, { headers: owner, ...sent });
}

async function idFrom(method: string, path: string, body: object): Promise<string> {
  const answer = await call(method, path, { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return identified.parse(answer.body).id;
}

function tokenIn(text: string): string {
  return /token=([\w-]+)/.exec(text)?.[1] ?? "";
}

async function recordAccounts(): Promise<void> {
  const open = { headers: {} };
  const token = tokenIn(service.output().stdout);
  await kept("getSignInOptions", "GET", "/auth/options", open);
  await kept("checkSetupLink", "GET", `/auth/setup?token=${token}`, open);
  await kept("completeSetup", "POST", "/auth/setup", { ...open, body: { ...ADA, name: "Ada", token } });
  const session = sessionOf(await kept("signIn", "POST", "/auth/sign-in", { ...open, body: ADA }));
  await kept("createAccessToken", "POST", "/auth/token", { ...open, body: ADA });
  await kept("refreshSession", "POST", "/auth/refresh", { headers: { cookie: session.cookie }, body: {} });
  owner = bearer(session.access_token);
  await kept("listSessions", "GET", "/auth/sessions");
  await kept("getProfile", "GET", "/auth/me");
  await kept("updateProfile", "PATCH", "/auth/me", { body: { name: "Ada Lovelace" } });
  await kept("locateRecord", "GET", `/auth/locate?id=${session.workspace_id}`);
  await recordApps(session);
  const newcomer = { email: "mary@example.org", password: "a long password", workspace_name: "Sums" };
  const sums = sessionOf(await kept("signUp", "POST", "/auth/sign-up", { ...open, body: newcomer }));
  await kept("listInstanceWorkspaces", "GET", "/console/api/instance/workspaces");
  const instance = `/console/api/instance/workspaces/${sums.workspace_id}`;
  await kept("setWorkspacePlan", "PATCH", instance, { body: { plan: "pro" } });
  await recordErasure();
  await kept("listTenants", "GET", "/console/api/instance/tenants?order=newest&limit=1");
  await kept("listProcesses", "GET", "/console/api/instance/processes");
  await kept("listQueues", "GET", "/console/api/instance/queues");
  await kept("setLogLevel", "PUT", "/console/api/instance/log-level", { body: { level: "warn" } });
  await kept("readLogLevel", "GET", "/console/api/instance/log-level");

  const invited = await call("POST", "/console/api/invitations", { body: { email: GRACE.email, role: "member" } });
  const invitation = tokenIn(invited.text);
  await kept("checkInvitationLink", "GET", `/auth/invitations?token=${invitation}`, open);
  const accepted = { token: invitation, password: GRACE.password, name: "Grace" };
  await kept("acceptInvitation", "POST", "/auth/invitations/accept", { ...open, body: accepted });
  const members = people.parse((await call("GET", "/console/api/members")).body);
  const grace = members.find(({ email }) => email === GRACE.email)?.user_id ?? "";
  await kept("updateMember", "PATCH", `/console/api/members/${grace}`, { body: { role: "admin" } });
  const account = identified.parse(
    await kept("createServiceAccount", "POST", "/console/api/service-accounts", { body: { name: "Deploys" } }).then(
      ({ body }) => body,
    ),
  );
  const one = `/console/api/service-accounts/${account.id}`;
  await kept("updateServiceAccount", "PATCH", one, { body: { role: "viewer" } });
  await kept("listServiceAccounts", "GET", "/console/api/service-accounts");

  const env = { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY, LOG_LEVEL: "silent" };
  const { stdout } = await runMuster(["reset-password", GRACE.email], { env, cwd: service.folder });
  const reset = tokenIn(stdout);
  await kept("checkResetLink", "GET", `/auth/reset?token=${reset}`, open);
  await kept("resetPassword", "POST", "/auth/reset", { ...open, body: { token: reset, password: "another wire" } });
}

/** At the service's name, which passkeys belong to. */
async function recordErasure(): Promise<void> {
  const edith = { email: "edith@example.org", password: "a long password", workspace_name: "Short" };
  const left = sessionOf(await send("POST", `${service.url}/auth/sign-up`, { body: edith }));
  const headers = bearer(left.access_token);
  await send("DELETE", `${service.url}/console/api/workspace?confirm=Short`, { headers });
  const person = `email=${edith.email}&confirm=${edith.email}`;
  await kept("erasePerson", "DELETE", `/console/api/instance/people?${person}`);
  await kept("listErasures", "GET", "/console/api/instance/erasures");
}

async function recordPasskeys(): Promise<void> {
  const at = { url: service.url.replace("127.0.0.1", "localhost") };
  const session = await signIn(at, { ...ADA });
  const ask = async (operationId: string, method: string, path: string, body?: object) =>
    recorder.keep(operationId, await asPerson(at, session, method, path, body));
  const device = createAuthenticator(at.url);
  const options = await ask("beginPasskey", "POST", "passkeys/options", {});
  const made = { name: "Laptop", credential: device.create(options.body) };
  const { id } = identified.parse((await ask("addPasskey", "POST", "passkeys", made)).body);
  await ask("renamePasskey", "PATCH", `passkeys/${id}`, { name: "My laptop" });
  await ask("listPasskeys", "GET", "passkeys");
  const asked = await ask("beginPasskeySignIn", "POST", "passkeys/sign-in/options", {});
  await ask("signInWithPasskey", "POST", "passkeys/sign-in", { credential: device.get(asked.body) });
}

async function recordApps(session: TestSession): Promise<void> {
  const asking = { session, browser: openProviderBrowser() };
  const app = await registerApp(service, { client_name: "Claude", redirect_uris: ["https://claude.ai/callback"] });
  const uid = await openRequest(asking, app.authorizeUrl({ redirect_uri: "https://claude.ai/callback" }));
  const headers = { ...owner, cookie: asking.browser.cookiesFor(service.url) };
  const at = `/auth/app-requests/${uid}`;
  await kept("readAppRequest", "GET", at, { headers });
  const body = { decision: "allow", workspace_id: session.workspace_id, scopes: ["read", "write"] };
  await kept("decideAppRequest", "POST", at, { headers, body });
  await kept("listApps", "GET", "/console/api/apps");
}

async function recordAgents(): Promise<void> {
  const writer = await idFrom("POST", "/functions/v1/api-agents", { name: "Writer", model: "demo", tags: ["news"] });
  const body = { title: "Say hello", assigned_agent_id: writer };
  const task = await idFrom("POST", "/functions/v1/api-tasks", body);
  await settled(`/functions/v1/api-tasks?id=${task}`);
  await kept("getRunStep", "GET", `/console/api/runs/${task}/step?key=model:0`);
  const said = { rating: "down", note: "Too short.", correction: "Hello, and welcome." };
  await kept("giveRunFeedback", "PUT", `/console/api/runs/${task}/feedback`, { body: said });
  await kept("rateStreamedRun", "POST", `/ag-ui/runs/${task}/feedback`, { body: { rating: "up" } });
  const key = { headers: { "x-api-key": service.keys.api } };
  const page = { ...key, body: { thread_id: "order-4711" } };
  await kept("createAgentStreamToken", "POST", `/console/api/agents/${writer}/stream-token`, page);
  await kept("createRunStreamToken", "POST", `/console/api/runs/${task}/stream-token`, key);
  await kept("getConversation", "GET", `/console/api/runs/${task}/conversation`);
  await call("POST", `/ag-ui/${writer}/sse`, { body: { messages: [{ role: "user", content: "Say hello" }] } });
  await kept("listConversations", "GET", `/console/api/agents/${writer}/conversations`);
  await kept("listRunFeedback", "GET", `/console/api/runs/${task}/feedback`);
  await recordRunLinks(task);
  await recordPages();
  await recordGolden(writer, task);
  await recordLeakedKeys();
  await kept("changeRuns", "POST", "/console/api/runs/bulk", { body: { action: "rerun", ids: [task], expect: 1 } });
  await settled(`/functions/v1/api-tasks?id=${task}`);
  await kept("estimateRun", "GET", `/console/api/estimate?agent_id=${writer}&max_usd=0.01`);
  await kept("estimateTask", "POST", "/functions/v1/api-tasks?estimate=true", { body });
  await kept("listAgentTags", "GET", "/console/api/agents/tags");
  await kept("getAgentStats", "GET", `/console/api/agents/${writer}/stats`);
  await kept("listAgentStats", "GET", `/console/api/agents/stats?id=${writer}`);
  const exported = await call("GET", `/console/api/agents/${writer}/export`);
  await kept("importAgent", "POST", "/console/api/agents/import", { body: exported.body });
  await kept("listFirstSteps", "GET", "/console/api/first-steps");
  await kept("listTemplates", "GET", "/console/api/templates");
  await kept("useTemplate", "POST", "/console/api/templates/translator/use", { body: { name: "Interpreter" } });
  const weekly = { cron: "0 9 * * 1", time_zone: "Europe/Berlin" };
  await kept("previewSchedule", "POST", "/console/api/schedules/preview", { body: weekly });
}

async function recordGolden(agent: string, task: string): Promise<void> {
  const body = { checks: [{ type: "contains", value: "welcome", ignore_case: true }] };
  const { id } = identified.parse(
    (await kept("keepGoldenCase", "POST", `/console/api/runs/${task}/golden`, { body })).body,
  );
  const one = `/console/api/golden/cases/${id}`;
  await kept("getGoldenCase", "GET", one);
  await kept("updateGoldenCase", "PATCH", one, { body: { name: "Says hello" } });
  const at = `/console/api/agents/${agent}/golden`;
  await kept("listGoldenCases", "GET", `${at}/cases`);
  await kept("keepGoldenSet", "POST", `${at}/cases`, { body: { filter: { feedback: ["note"] } } });
  const run = identified.parse((await kept("startGoldenRun", "POST", `${at}/runs`, { body: { version: 1 } })).body);
  await eventually("the golden run has ended", async () => {
    const { status } = ending.parse((await call("GET", `/console/api/golden/runs/${run.id}`)).body);
    return status !== "running";
  });
  await kept("getGoldenRun", "GET", `/console/api/golden/runs/${run.id}`);
  await kept("listGoldenRuns", "GET", `${at}/runs`);
  await kept("cancelGoldenRun", "POST", `/console/api/golden/runs/${run.id}/cancel`);
  await kept("setGoldenGate", "PUT", `${at}/gate`, { body: { required: "all" } });
  await kept("getGoldenGate", "GET", `${at}/gate`);
  const publish = { changes: { temperature: 0.2 }, override: "The case is wrong." };
  await kept("publishGoldenCandidate", "POST", `${at}/publish`, { body: publish });
  await call("PUT", `${at}/gate`, { body: { required: "none" } });
}

async function recordRunLinks(run: string): Promise<void> {
  const open = { headers: {} };
  await call("PATCH", "/console/api/workspace", { body: { run_links: true } });
  const wanted = { shows_steps: true, shows_cost: true };
  const made = await kept("createRunLink", "POST", `/console/api/runs/${run}/links`, { body: wanted });
  await kept("listRunLinks", "GET", `/console/api/runs/${run}/links`);
  const token = tokenIn(linked.parse(made.body).link);
  await kept("readRunLink", "POST", "/auth/run-link", { ...open, body: { token } });
  const { body } = await kept("listRunLinkSteps", "POST", "/auth/run-link/steps", { ...open, body: { token } });
  const [step] = shownSteps.parse(body).steps;
  await kept("readRunLinkStep", "POST", "/auth/run-link/step", { ...open, body: { token, key: step?.key } });
}

async function recordPages(): Promise<void> {
  const { body: agent } = await call("POST", "/functions/v1/api-agents", { body: { name: "Support", model: "demo" } });
  const { id: agent_id } = z.looseObject({ id: z.string() }).parse(agent);
  const fields = {
    slug: "ask-support",
    title: "Ask us",
    is_on: true,
    budget_day_usd: 5,
    prompts: ["What can you do?"],
  };
  const made = await kept("createAgentPage", "POST", "/console/api/pages", { body: { agent_id, ...fields } });
  const path = `/console/api/pages/${z.looseObject({ id: z.string() }).parse(made.body).id}`;
  await kept("listAgentPages", "GET", "/console/api/pages");
  await kept("getAgentPage", "GET", path);
  await kept("updateAgentPage", "PATCH", path, { body: { limits: { visitor_day: 50 } } });
  await kept("rotateAgentPage", "POST", `${path}/rotate`, { body: {} });
  await kept("openAgentPage", "POST", "/p/ask-support/open", { headers: {}, body: {} });
}

async function recordLeakedKeys(): Promise<void> {
  await kept("reportLeakedKeys", "POST", "/auth/keys/leaked", {
    headers: {},
    body: { keys: [generateKey("envelope")] },
  });
}

async function recordQuestions(): Promise<void> {
  const open = { headers: {} };
  const rule = {
    name: "Web requests",
    when: { tool: "http_request" },
    ask: { role: "admin" },
    else: "deny",
    starter: true,
  };
  const approvals = "/console/api/workspace/approvals";
  await kept("saveWorkspaceApprovals", "PUT", approvals, { body: { approvals: [rule] } });
  await kept("getWorkspaceApprovals", "GET", approvals);
  await call("PUT", approvals, { body: { approvals: [] } });
  const resources = "/console/api/workspace/resources";
  const described = { format: "muster-workspace", version: 1, resources: ["voice_profile"] };
  const body = { ...described, documents: [{ resource: "voice_profile", name: "Crisp", tone: "Formal" }] };
  await kept("diffWorkspace", "POST", `${resources}/diff`, { body });
  await kept("applyWorkspace", "POST", `${resources}/apply`, { body });
  await kept("pullWorkspace", "GET", `${resources}?resources=voice_profile`);
  await call("PATCH", "/console/api/workspace", { body: { answer_links: true } });
  const fields = { name: "Publisher", model: "demo", tools: ["request_approval"] };
  const publisher = await idFrom("POST", "/functions/v1/api-agents", fields);
  const work = { title: "Publish", description: ASKS, assigned_agent_id: publisher };

  const linkedTask = await idFrom("POST", "/functions/v1/api-tasks", work);
  const question = await questionOf(`/functions/v1/api-tasks?id=${linkedTask}`);
  const made = await kept("createAnswerLink", "POST", `/console/api/questions/${question}/link`, { body: {} });
  const token = tokenIn(linked.parse(made.body).link);
  await kept("listAnswerLinks", "GET", "/console/api/answer-links");
  await kept("readAnswerLink", "POST", "/auth/answer-link", { ...open, body: { token } });
  const answer = { token, name: "Grace", approved: true };
  await kept("answerByLink", "POST", "/auth/answer-link/answer", { ...open, body: answer });

  const streamed = await idFrom("POST", "/functions/v1/api-tasks", work);
  const interactionId = await questionOf(`/functions/v1/api-tasks?id=${streamed}`);
  const reply = { threadId: streamed, interactionId, approved: true };
  await kept("answerTaskStream", "POST", `/ag-ui/${publisher}/respond`, { body: reply });
  await kept("getAgUiHealth", "GET", "/ag-ui/health", open);
}

async function recordTeams(): Promise<void> {
  const editor = await idFrom("POST", "/functions/v1/api-agents", { name: "Editor", model: "demo" });
  const config = { memory: { enabled: true }, steps: [{ agent_id: editor, step_name: "Edit" }] };
  const team = await idFrom("POST", "/functions/v1/api-teams", { name: "Newsroom", mode: "pipeline", config });
  await kept("getAgentUsedBy", "GET", `/console/api/agents/${editor}/used-by`);
  await idFrom("POST", "/console/api/schedules", {
    name: "Morning report",
    cron: "0 7 * * 1-5",
    time_zone: "Europe/Berlin",
    assigned_team_id: team,
    title: "Report on {{date}}",
  });
  await kept("getTeamUsedBy", "GET", `/console/api/teams/${team}/used-by`);
  const run = await idFrom("POST", "/functions/v1/api-runs", { team_id: team, input_task: "A page on rain" });
  await settled(`/functions/v1/api-runs?id=${run}`);
  await kept("listTeamMemories", "GET", `/console/api/teams/${team}/memories`);
  const exported = await call("GET", `/console/api/teams/${team}/export`);
  await kept("importTeam", "POST", "/console/api/teams/import", { body: exported.body });
}

async function recordTeamQuestions(): Promise<void> {
  const fields = { name: "Reviewer", model: "demo", tools: ["request_approval"] };
  const reviewer = await idFrom("POST", "/functions/v1/api-agents", fields);
  const config = { steps: [{ agent_id: reviewer }] };
  const team = await idFrom("POST", "/functions/v1/api-teams", { name: "Reviewers", mode: "pipeline", config });
  for (const [operationId, path] of [
    ["answerRun", "/console/api/runs/{id}/answer"],
    ["answerRunStream", "/ag-ui/runs/{id}/respond"],
  ] as const) {
    const run = await idFrom("POST", "/functions/v1/api-runs", { team_id: team, input_task: ASKS });
    const interactionId = await questionOf(`/functions/v1/api-runs?id=${run}`);
    await kept(operationId, "POST", path.replace("{id}", run), { body: { interactionId, approved: true } });
  }
}

async function recordOtherParties(): Promise<void> {
  const agents = "/console/api/remote-agents";
  const agent = await kept("createRemoteAgent", "POST", agents, { body: { base_url: remote.url } });
  const atAgent = `${agents}/${identified.parse(agent.body).id}`;
  await kept("listRemoteAgents", "GET", agents);
  await kept("getRemoteAgent", "GET", atAgent);
  await kept("refreshRemoteAgent", "POST", `${atAgent}/refresh`);
  await kept("testRemoteAgent", "POST", `${atAgent}/test`, { body: { message: "say Bonjour" } });
  await kept("updateRemoteAgent", "PATCH", atAgent, { body: { is_enabled: false } });

  const servers = "/console/api/mcp-servers";
  await mcp.setTools(["echo"]);
  await kept("discoverMcpServer", "POST", `${servers}/discover`, { body: { url: mcp.url } });
  const server = await kept("createMcpServer", "POST", servers, { body: { name: "notes", url: mcp.url } });
  const atServer = `${servers}/${identified.parse(server.body).id}`;
  await kept("listMcpServers", "GET", servers);
  await kept("getMcpServer", "GET", atServer);
  await kept("listMcpServerTools", "GET", `${atServer}/tools`);
  await kept("refreshMcpServer", "POST", `${atServer}/refresh`);
  const tested = { tool: "echo", arguments: { text: "Hello" } };
  await kept("testMcpServerTool", "POST", `${atServer}/test`, { body: tested });
  await kept("updateMcpServer", "PATCH", atServer, { body: { is_enabled: false } });

  const oauth = { account: "workspace" };
  const mail = `${servers}/${await idFrom("POST", servers, { name: "mail", url: signedIn.url, oauth })}`;
  const page = await kept("connectMcpServer", "POST", `${mail}/connect`);
  const { url } = z.object({ url: z.string() }).parse(page.body);
  const back = await openProviderBrowser().follow(url, "/oauth/mcp/callback");
  await kept("finishMcpServer", "POST", `${servers}/finish`, { body: { url: back } });
  await kept("listMcpServerAccounts", "GET", `${mail}/accounts`);

  const connection = await kept("connectGoogleAccount", "POST", "/console/api/google-account/connect", { body: {} });
  const { state } = z.object({ state: z.string() }).parse(connection.body);
  const finish = "/console/api/google-account/finish";
  await kept("finishGoogleAccount", "POST", finish, { body: { state, code: "code" } });
  await kept("getGoogleAccount", "GET", "/console/api/google-account");
}

async function recordDeliveries(): Promise<void> {
  const config = { url: `${receiver.url}/results`, secret: "a signing secret" };
  const route = await idFrom("POST", "/console/api/routes", { name: "Results", type: "http", config });
  const delivery = await idFrom("POST", `/console/api/routes/${route}/test`, {});
  const at = `/console/api/deliveries/${delivery}`;
  await eventually(
    "the delivery",
    async () => z.looseObject({ status: z.literal("success") }).safeParse((await call("GET", at)).body).success,
  );
  await kept("getDelivery", "GET", at);
  await kept("redeliverDelivery", "POST", `${at}/redeliver`, { body: {} });
  await recordAlerts(route);
  await recordPeople();
  const hook = await idFrom("POST", "/console/api/hooks", { target_url: receiver.url, event: "task_failed" });
  await kept("pauseWebhookSubscription", "PATCH", `/console/api/hooks/${hook}`, { body: { is_active: false } });
}

async function recordPeople(): Promise<void> {
  const config = { bot_token: "123456:ABC-DEF", chat_id: "@approvals", secret_token: "a-secret-token-of-ours" };
  const body = { name: "Approvals", kind: "people", type: "telegram", config };
  const route = await idFrom("POST", "/console/api/routes", body);
  await kept("getRouteSetup", "GET", `/console/api/routes/${route}/setup`);
  await call("DELETE", `/console/api/routes/${route}`);
}

async function recordAlerts(route: string): Promise<void> {
  const body = { name: "Too many failures", kind: "failure_rate", threshold: 20, route_id: route };
  const made = await kept("createAlert", "POST", "/console/api/alerts", { body });
  await kept("testAlert", "POST", `/console/api/alerts/${identified.parse(made.body).id}/test`, { body: {} });
}

/** Waits until a task or a run asks; returns the id of its question. */
function questionOf(path: string): Promise<string> {
  return eventually(`the question of ${path}`, async () => {
    return waiting.safeParse((await call("GET", path)).body).data?.interaction.interactionId;
  });
}

/** Waits until a task or a run has ended. */
function settled(path: string): Promise<true> {
  return eventually(`the end of ${path}`, async () => ended.safeParse((await call("GET", path)).body).success);
}
