import type { TestAccess } from "../service.ts";
import { apiOf, consoleOf, fieldsOf } from "../api.ts";
import type { Answer } from "../api.ts";
import { eventually } from "../eventually.ts";
import { sql } from "../workspace.ts";

/** The variables of the secrets of {@link fillWorkspace}, and their values. */
export const SECRETS = {
  TOOL_LOOK_UP_AUTHORIZATION: "Bearer secret-of-the-tool",
  MCP_SERVER_NOTES_X_KEY: "secret-of-the-server",
  MCP_SERVER_NOTES_CLIENT_SECRET: "secret-of-the-client",
  ROUTE_HELPDESK_BOT_TOKEN: "xoxb-1-2-secret-of-the-desk",
  ROUTE_HELPDESK_SIGNING_SECRET: "secret-of-the-desk",
  ROUTE_ON_CALL_BOT_TOKEN: "xoxb-1-2-secret-of-the-route",
  ROUTE_ON_CALL_SIGNING_SECRET: "secret-of-the-app",
  TRIGGER_DEPLOYED_SECRET: "secret-of-the-trigger",
} as const;

const RULE = {
  name: "Large",
  when: { arguments: [{ pointer: "/amount", is: ">", value: 500 }], cost_above: 2 },
  ask: { role: "admin" },
  starter: true,
};

/** Makes at least one record of each kind that files describe, with references among them and with secrets. */
export async function fillWorkspace(
  service: TestAccess,
  { mcpUrl, key = service.keys.api }: { readonly mcpUrl: string; readonly key?: string },
) {
  const desk = consoleOf(service, key);
  const api = apiOf(service, key);
  const base = await idOf(desk.post("/knowledge/bases", { name: "Handbook", description: "How we work" }));
  const voice = await idOf(desk.post("/voice-profiles", { name: "Friendly", tone: "Casual" }));
  const template = await idOf(
    desk.post("/output-templates", { name: "Letter", type: "Markdown", body: "# {{task_title}}\n\n{{task_result}}\n" }),
  );
  const tool = await idOf(
    desk.post("/tools", {
      name: "look_up",
      description: "Looks something up.",
      url: "https://tools.example/{what}",
      parameters: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
      headers: { Authorization: SECRETS.TOOL_LOOK_UP_AUTHORIZATION },
    }),
  );
  await idOf(
    desk.post("/mcp-servers", {
      name: "notes",
      url: mcpUrl,
      headers: { "X-Key": SECRETS.MCP_SERVER_NOTES_X_KEY },
      on_change: "hold",
      oauth: {
        account: "workspace",
        client_id: "muster",
        client_secret: SECRETS.MCP_SERVER_NOTES_CLIENT_SECRET,
      },
    }),
  );
  const [owner] = await sql<{ email: string }>(
    service.databaseUrl,
    "select u.email from users u join members m on m.user_id = u.id join api_keys k on k.workspace_id = m.workspace_id where k.prefix = left($1, length(k.prefix)) limit 1",
    [key],
  );
  const people = [owner?.email ?? ""];
  const route = await idOf(
    desk.post("/routes", {
      name: "On call",
      kind: "people",
      type: "slack",
      config: {
        channel_id: "C0123ABCD",
        bot_token: SECRETS.ROUTE_ON_CALL_BOT_TOKEN,
        signing_secret: SECRETS.ROUTE_ON_CALL_SIGNING_SECRET,
      },
      allowed_user_ids: ["U1"],
      members: people.map((member) => ({ member, user_id: "U1" })),
    }),
  );
  const writer = await idOf(
    api.post("/api-agents", {
      name: "Writer",
      description: "Writes letters",
      model: "demo",
      fallback_models: ["gpt-4o"],
      system_prompt: "You write.\n\nBe brief: at most three sentences.\n",
      temperature: null,
      tools: ["current_time", `custom:${tool}`, "mcp:notes/echo"],
      tags: ["letters"],
      voice_profile_id: voice,
      output_template_id: template,
      knowledge_base_ids: [base],
      output_route_ids: [route],
      output_schema: { type: "object", properties: { text: { type: "string" } } },
      config: {
        requires_approval: [`custom:${tool}`],
        approvals: [{ when: { tool: `custom:${tool}` }, ask: { people, channel: route }, need: 1, starter: true }],
        note: "free form",
      },
    }),
  );
  const reader = await idOf(
    api.post("/api-agents", { name: "Reader & Co.", model: "demo", voice_profile: { tone: "Formal" } }),
  );
  await idOf(
    desk.post("/routes", {
      name: "Helpdesk",
      kind: "agent",
      type: "slack",
      agent_id: reader,
      config: {
        bot_token: SECRETS.ROUTE_HELPDESK_BOT_TOKEN,
        signing_secret: SECRETS.ROUTE_HELPDESK_SIGNING_SECRET,
      },
      is_active: false,
    }),
  );
  const crew = await idOf(
    api.post("/api-teams", {
      name: "Crew",
      mode: "pipeline",
      config: {
        steps: [
          { agent_id: writer, step_name: "Draft" },
          { type: "fan_out", parallel_agents: [writer, reader], merge_agent_id: reader },
        ],
      },
    }),
  );
  await idOf(api.post("/api-teams", { name: "Draft", mode: "orchestrator" }));
  await idOf(
    api.post("/api-teams", {
      name: "Round",
      mode: "orchestrator",
      config: { brain_agent_id: reader, worker_agent_ids: [writer] },
    }),
  );
  await ok(
    desk.call("PUT", "/workspace/approvals", {
      body: { approvals: [RULE, { when: {}, ask: { people }, starter: true }] },
    }),
  );
  await idOf(
    desk.post("/schedules", {
      name: "Nightly",
      cron: "0 3 * * *",
      time_zone: "Europe/Berlin",
      assigned_team_id: crew,
      title: "Nightly letter",
      is_active: false,
      metadata: { a: [1, { b: null }] },
    }),
  );
  await idOf(
    desk.post("/triggers", {
      name: "Deployed",
      assigned_agent_id: writer,
      title: "Announce it",
      secret: SECRETS.TRIGGER_DEPLOYED_SECRET,
    }),
  );
  await idOf(desk.post("/budgets", { scope: "workspace", period: "month", max_usd: 100.5 }));
  await idOf(desk.post("/budgets", { scope: "agent", target_id: writer, max_tokens: 1_000, on_breach: "ask" }));
  await idOf(
    desk.post("/alerts", { name: "Failures", kind: "failure_rate", threshold: 20, agent_id: writer, route_id: route }),
  );
  const task = await idOf(api.post("/api-tasks", { title: "Say hello", assigned_agent_id: reader }));
  await eventually("the end of the task", async () => {
    return fieldsOf(await api.get(`/api-tasks?id=${task}`))["status"] === "completed";
  });
  const checks = [{ type: "exact" }, { type: "judge", agent_id: writer, rubric: "It greets." }];
  await ok(desk.post(`/runs/${task}/golden`, { name: "Greets", expected: "Hello", checks }));
  await ok(desk.call("PUT", `/agents/${reader}/golden/gate`, { body: { required: 1 } }));
  return { writer, reader, crew, route, tool };
}

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`Rejected with ${status}: ${text}`);
  return answer;
}

async function idOf(answer: Promise<Answer>): Promise<string> {
  return String(fieldsOf(await ok(answer))["id"]);
}
