import { newId } from "#lib/ids.ts";
import { formText } from "../files.ts";
import {
  answers,
  approval,
  gives,
  inPath,
  just,
  makes,
  ofRuns,
  ofVersion,
  open,
  resource,
  rpcCall,
  saved,
  signIn,
  without,
} from "./probe-shapes.ts";
import type { Probe, Probes } from "./probe-shapes.ts";
import { tableProbes } from "./table-probes.ts";

const AGENT = { name: "X", model: "demo" };
const TOOL = { description: "X", url: "https://tools.example/" };
const TEAM = { name: "X", mode: "pipeline" };
const toolCall = (name: string | undefined) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: { message: "X" } },
});
const refused: Probes = { plain: [just({})] };

/** What is asked of every route of the service; a new route needs a line. */
export const PROBES: Readonly<Record<string, Probes>> = {
  ...resource("/functions/v1/api-agents", { thing: "agents", create: AGENT, change: { name: "X" } }),
  ...resource("/functions/v1/api-tasks", { thing: "tasks", create: { title: "X" }, change: { title: "X" } }),
  ...resource("/functions/v1/api-teams", { thing: "teams", create: TEAM, change: { name: "X" } }),
  ...without("PATCH", resource("/functions/v1/api-hooks", { thing: "webhook_subscriptions", create: {} })),
  ...without(
    "DELETE",
    resource("/functions/v1/api-runs", { thing: "team_runs", create: {}, change: { status: "cancelled" } }),
  ),
  "POST /functions/v1/api-agents": {
    plain: [just(AGENT)],
    naming: [
      ({ voice_profiles: id }) => ({ body: { ...AGENT, voice_profile_id: id } }),
      ({ output_templates: id }) => ({ body: { ...AGENT, output_template_id: id } }),
      ({ custom_tools: id }) => ({ body: { ...AGENT, tools: [`custom:${id}`] } }),
    ],
  },
  "PATCH /functions/v1/api-agents": {
    naming: [
      ({ agents: id }) => ({ at: `/functions/v1/api-agents?id=${id}`, body: { name: "X" } }),
      ({ voice_profiles: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { voice_profile_id: id },
      }),
      ({ output_templates: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { output_template_id: id },
      }),
      ({ custom_tools: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { config: { requires_approval: [`custom:${id}`] } },
      }),
    ],
  },
  "POST /functions/v1/api-tasks": {
    plain: [just({ title: "X" })],
    naming: [
      ({ agents: id }) => ({ body: { title: "X", assigned_agent_id: id } }),
      ({ teams: id }) => ({ body: { title: "X", assigned_team_id: id } }),
      ({ files: id }) => ({ body: { title: "X", attachments: [id] } }),
    ],
  },
  "PATCH /functions/v1/api-tasks": {
    naming: [
      ({ tasks: id }) => ({ at: `/functions/v1/api-tasks?id=${id}`, body: { title: "X" } }),
      ({ tasks: id }) => ({ at: `/functions/v1/api-tasks?id=${id}`, body: { status: "cancelled" } }),
      ({ agents: id }, own) => ({
        at: `/functions/v1/api-tasks?id=${own["pendingTask"]}`,
        body: { assigned_agent_id: id },
      }),
      ({ teams: id }, own) => ({
        at: `/functions/v1/api-tasks?id=${own["pendingTask"]}`,
        body: { assigned_team_id: id },
      }),
    ],
  },
  "POST /functions/v1/api-teams": {
    plain: [just(TEAM)],
    naming: [({ agents: id }) => ({ body: { ...TEAM, config: { steps: [{ agent_id: id }] } } })],
  },
  "PATCH /functions/v1/api-teams": {
    naming: [
      ({ teams: id }) => ({ at: `/functions/v1/api-teams?id=${id}`, body: { name: "X" } }),
      ({ agents: id }, own) => ({
        at: `/functions/v1/api-teams?id=${own["teams"]}`,
        body: { config: { steps: [{ agent_id: id }] } },
      }),
    ],
  },
  "POST /functions/v1/api-runs": {
    naming: [
      ({ teams: id }) => ({ body: { team_id: id, input_task: "X" } }),
      ({ files: id }, own) => ({ body: { team_id: own["teams"], input_task: "X", attachments: [id] } }),
    ],
  },
  "POST /functions/v1/api-hooks": {
    plain: [just({ target_url: "https://example.com/", event: "task_failed" })],
    naming: ["agent", "team"].map((one): Probe => (named) => ({
      body: { target_url: "https://example.com/", event: "task_failed", [`${one}_id`]: named[`${one}s`] },
    })),
  },
  "GET /functions/v1/api-me": open,

  "GET /files": {
    plain: [just()],
    naming: [
      ({ tasks: id }) => ({ at: `/files?task_id=${id}` }),
      ({ team_runs: id }) => ({ at: `/files?run_id=${id}` }),
    ],
  },
  "POST /files": {
    plain: [() => ({ body: formText("a.txt", "A"), headers: { "content-type": "multipart/form-data; boundary=x" } })],
  },
  "GET /files/{id}": inPath("files"),
  "GET /files/{id}/preview": inPath("files"),
  "DELETE /files/{id}": inPath("files"),

  "GET /console/api/keys": open,
  "POST /console/api/keys": { plain: [just({ label: "X", kind: "mcp" })] },
  "PATCH /console/api/keys/{id}": inPath("api_keys", { label: "X" }),
  "DELETE /console/api/keys/{id}": inPath("api_keys"),
  "POST /console/api/keys/{id}/rotate": inPath("api_keys", {}),
  "GET /console/api/provider-keys": open,
  "PUT /console/api/provider-keys/{provider}": {
    plain: [() => ({ at: "/console/api/provider-keys/anthropic", body: { api_key: "sk-of-a-test" } })],
  },
  "POST /console/api/provider-keys/{provider}/test": {
    plain: [() => ({ at: "/console/api/provider-keys/demo/test", body: {} })],
  },
  "DELETE /console/api/provider-keys/{provider}": { plain: [() => ({ at: "/console/api/provider-keys/openai" })] },
  "GET /console/api/remote-agents": open,
  "POST /console/api/remote-agents": { plain: [just({ base_url: "https://localhost/" })] },
  "GET /console/api/remote-agents/{id}": inPath("remote_agents"),
  "PATCH /console/api/remote-agents/{id}": inPath("remote_agents", { is_enabled: false }),
  "DELETE /console/api/remote-agents/{id}": inPath("remote_agents"),
  "POST /console/api/remote-agents/{id}/refresh": inPath("remote_agents"),
  "POST /console/api/remote-agents/{id}/test": inPath("remote_agents", { message: "Hello" }),
  "GET /console/api/published": open,
  "GET /console/api/mcp-servers": open,
  "POST /console/api/mcp-servers": { plain: [just({ name: "other", url: "https://localhost/" })] },
  "POST /console/api/mcp-servers/discover": { plain: [just({ url: "https://localhost/" })] },
  "GET /console/api/mcp-servers/{id}": inPath("mcp_servers"),
  "PATCH /console/api/mcp-servers/{id}": inPath("mcp_servers", { is_enabled: false }),
  "DELETE /console/api/mcp-servers/{id}": inPath("mcp_servers"),
  "GET /console/api/mcp-servers/{id}/tools": inPath("mcp_servers"),
  "POST /console/api/mcp-servers/{id}/refresh": inPath("mcp_servers"),
  "POST /console/api/mcp-servers/{id}/test": inPath("mcp_servers", { tool: "seed" }),
  "GET /console/api/tools": open,
  "POST /console/api/tools": { plain: [() => ({ body: { ...TOOL, name: `x${newId().replaceAll("-", "")}` } })] },
  "GET /console/api/tools/built-in": open,
  "GET /console/api/tools/{id}": inPath("custom_tools"),
  "PATCH /console/api/tools/{id}": inPath("custom_tools", { description: "X" }),
  "DELETE /console/api/tools/{id}": inPath("custom_tools"),
  "POST /console/api/tools/{id}/test": inPath("custom_tools", {}),
  "GET /console/api/tools/{id}/calls": inPath("custom_tools"),
  "GET /console/api/audit": { plain: [just(), ({ members: id }) => ({ at: `/console/api/audit?actor=${id}` })] },
  "GET /console/api/members": open,
  "PATCH /console/api/members/{userId}": inPath("members", { role: "viewer" }),
  "DELETE /console/api/members/{userId}": inPath("members"),
  "GET /console/api/invitations": open,
  "POST /console/api/invitations": { plain: [() => ({ body: { email: `${newId()}@example.org`, role: "viewer" } })] },
  "DELETE /console/api/invitations/{id}": inPath("invitations"),
  "GET /console/api/workspace": open,
  "PATCH /console/api/workspace": { plain: [(_, own) => ({ body: { name: own["workspaceName"] } })] },
  "DELETE /console/api/workspace": {
    naming: [({ workspaceName }) => ({ at: `/console/api/workspace?confirm=${workspaceName}` })],
  },
  "GET /console/api/workspaces": open,
  "GET /console/api/models": open,
  // Without a run of another workspace the stream would stay open.
  "GET /console/api/live": {
    naming: [
      ({ tasks: id }) => ({ at: `/console/api/live?follow=${id}@0` }),
      ({ team_runs: id }) => ({ at: `/console/api/live?follow=${id}@0` }),
    ],
  },
  "GET /console/api/questions": {
    plain: [just(), () => ({ at: "/console/api/questions?state=answered" })],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/questions?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/questions?team_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/questions?run_id=${id}` }),
    ],
  },
  "GET /console/api/questions/{id}": inPath("interaction"),
  "POST /console/api/questions/{id}/link": inPath("interaction", {}),
  "GET /console/api/answer-links": {
    plain: [just()],
    naming: [({ interaction: id }) => ({ at: `/console/api/answer-links?question_id=${id}` })],
  },
  "DELETE /console/api/answer-links/{id}": inPath("answer_links"),
  "GET /console/api/search": {
    plain: [() => ({ at: "/console/api/search?q=a" })],
    naming: ["agents", "teams", "tasks", "files"].map((thing): Probe => (named) => ({
      at: `/console/api/search?q=${named[thing]}`,
    })),
  },
  "GET /console/api/runs": {
    plain: [just()],
    naming: [
      ({ agents: id }) => ({ at: `/console/api/runs?agent_id=${id}` }),
      ({ teams: id }) => ({ at: `/console/api/runs?team_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/runs?q=${id}` }),
    ],
  },
  "GET /console/api/budgets": {
    plain: [just()],
    naming: ["agents", "teams", "tasks", "team_runs", "workspaces"].map((thing): Probe => (named) => ({
      at: `/console/api/budgets?target_id=${named[thing]}`,
    })),
  },
  "POST /console/api/budgets": {
    plain: [just({ scope: "workspace", period: "total", max_usd: 100 })],
    naming: [
      ({ agents: id }) => ({ body: { scope: "agent", target_id: id, max_usd: 100 } }),
      ({ teams: id }) => ({ body: { scope: "team", target_id: id, max_usd: 100 } }),
      ({ tasks: id }) => ({ body: { scope: "run", target_id: id, max_usd: 100 } }),
      ({ team_runs: id }) => ({ body: { scope: "run", target_id: id, max_usd: 100 } }),
      ({ workspaces: id }) => ({ body: { scope: "workspace", target_id: id, max_usd: 100 } }),
    ],
  },
  "GET /console/api/budgets/{id}": inPath("budgets"),
  "PATCH /console/api/budgets/{id}": inPath("budgets", { max_usd: 100 }),
  "DELETE /console/api/budgets/{id}": inPath("budgets"),
  "GET /console/api/overview": { plain: [just(), () => ({ at: "/console/api/overview?bucket=day" })] },
  "GET /console/api/usage": { plain: [just(), () => ({ at: "/console/api/usage?group_by=agent,model,team" })] },
  "POST /console/api/workspaces": { plain: [just({ name: "X" })] },
  "GET /console/api/agents/{id}/export": inPath("agents"),
  "POST /console/api/agents/import": refused,
  "GET /console/api/agents/tags": { plain: [just()] },
  "GET /console/api/mcp-servers/tools": { plain: [just()] },
  "GET /console/api/agents/stats": {
    plain: [(_, own) => ({ at: `/console/api/agents/stats?id=${own["agents"]}` })],
  },
  "GET /console/api/agents/{id}/stats": inPath("agents"),
  "GET /console/api/agents/{id}/used-by": inPath("agents"),
  "GET /console/api/teams/{id}/used-by": inPath("teams"),
  "GET /console/api/agents/{id}/versions": inPath("agents"),
  "GET /console/api/agents/{id}/versions/{version}": ofVersion(""),
  "GET /console/api/agents/{id}/versions/{version}/diff": ofVersion("/diff"),
  "POST /console/api/agents/{id}/versions/{version}/restore": ofVersion("/restore"),
  "GET /console/api/teams/{id}/export": inPath("teams"),
  "POST /console/api/teams/import": refused,
  "GET /console/api/teams/{id}/memories": inPath("teams"),
  "DELETE /console/api/teams/{id}/memories": inPath("teams"),
  "DELETE /console/api/teams/{id}/memories/{memory_id}": {
    naming: [
      ({ teams, team_memories: id }) => ({ at: `/console/api/teams/${teams}/memories/${id}` }),
      ({ team_memories: id }, own) => ({ at: `/console/api/teams/${own["teams"]}/memories/${id}` }),
    ],
  },
  "GET /console/api/marketplace": open,
  "GET /console/api/marketplace/{id}": inPath("agents"),
  "POST /console/api/marketplace/{id}/install": inPath("agents"),
  ...saved("/console/api/voice-profiles", "voice_profiles", { name: "X", tone: "Formal" }),
  ...saved("/console/api/output-templates", "output_templates", { name: "X", type: "HTML", body: "x" }),
  ...saved("/console/api/schedules", "schedules", {}),
  "POST /console/api/schedules": makes({ name: "X", cron: "0 0 1 1 *", title: "X" }),
  "PATCH /console/api/schedules/{id}": gives("schedules"),
  "POST /console/api/schedules/preview": { plain: [just({ cron: "0 0 1 1 *" })] },
  "POST /console/api/schedules/{id}/run": inPath("schedules", {}),
  "GET /console/api/schedules/{id}/fires": inPath("schedules"),
  "GET /console/api/route-types": open,
  ...saved("/console/api/routes", "output_routes", {
    name: "X",
    type: "http",
    config: { url: "https://example.com/" },
  }),
  "POST /console/api/routes/{id}/test": inPath("output_routes", {}),
  "GET /console/api/deliveries": {
    plain: [just()],
    naming: [
      ({ output_routes: id }) => ({ at: `/console/api/deliveries?route_id=${id}` }),
      ({ tasks: id }) => ({ at: `/console/api/deliveries?task_id=${id}` }),
      ({ team_runs: id }) => ({ at: `/console/api/deliveries?run_id=${id}` }),
    ],
  },
  "GET /console/api/deliveries/health": open,
  "GET /console/api/deliveries/{id}": inPath("deliveries"),
  "POST /console/api/deliveries/{id}/redeliver": inPath("deliveries", {}),
  "POST /console/api/deliveries/redeliver": {
    naming: [({ output_routes: id }) => ({ body: { since: "2026-01-01T00:00:00Z", route_id: id } })],
  },
  "POST /console/api/tasks/retry": { plain: [() => ({ body: { error_code: "CRASH_LOOP" } })] },
  "POST /console/api/runs/retry": { plain: [() => ({ body: { error_code: "CRASH_LOOP" } })] },
  "GET /console/api/google-account": open,
  "DELETE /console/api/google-account": refused,
  "POST /console/api/google-account/connect": refused,
  "POST /console/api/google-account/finish": { plain: [() => ({ body: { state: "unknown", code: "code" } })] },
  "GET /oauth/google/callback": open,
  ...without("PATCH", saved("/console/api/trello-channels", "trello_channels", { name: "X", secret: "x" })),
  "GET /inbound/trello/{channelId}": inPath("trello_channels"),
  "POST /inbound/trello/{channelId}": inPath("trello_channels", {}),
  ...saved("/console/api/hooks", "webhook_subscriptions", {}),
  "PATCH /console/api/hooks/{id}": inPath("webhook_subscriptions", { is_active: false }),
  "POST /console/api/hooks/{id}/rotate": inPath("webhook_subscriptions", {}),
  ...saved("/console/api/triggers", "triggers", {}),
  "POST /console/api/triggers": makes({ name: "X", title: "X" }),
  "PATCH /console/api/triggers/{id}": gives("triggers"),
  "POST /console/api/triggers/{id}/rotate": inPath("triggers"),
  "GET /console/api/triggers/{id}/deliveries": inPath("triggers"),
  "POST /hooks/in/{token}": { plain: [() => ({ at: "/hooks/in/mst_hook_unknown", body: {} })] },
  ...saved("/console/api/knowledge/bases", "knowledge_bases", { name: "X" }),
  "GET /console/api/knowledge/documents": {
    plain: [just()],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/documents?knowledge_base_id=${id}` })],
  },
  "POST /console/api/knowledge/documents": {
    naming: [({ knowledge_bases: id }) => ({ body: { knowledge_base_id: id, name: "X", text: "x" } })],
  },
  "POST /console/api/knowledge/uploads": refused,
  "GET /console/api/knowledge/documents/{id}": inPath("knowledge_documents"),
  "PATCH /console/api/knowledge/documents/{id}": inPath("knowledge_documents", { name: "X" }),
  "DELETE /console/api/knowledge/documents/{id}": inPath("knowledge_documents"),
  "POST /console/api/knowledge/documents/{id}/reprocess": inPath("knowledge_documents"),
  "GET /console/api/knowledge/tags": {
    plain: [just()],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/tags?knowledge_base_id=${id}` })],
  },
  "GET /console/api/knowledge/search": {
    plain: [() => ({ at: "/console/api/knowledge/search?q=text" })],
    naming: [({ knowledge_bases: id }) => ({ at: `/console/api/knowledge/search?q=text&knowledge_base_ids=${id}` })],
  },
  "POST /console/api/tasks/{id}/answer": answers("tasks"),
  "POST /console/api/runs/{id}/answer": answers("team_runs"),
  "GET /console/api/runs/{id}": ofRuns(),
  "DELETE /console/api/runs/{id}": ofRuns(),
  "GET /console/api/runs/{id}/steps": ofRuns(),
  "GET /console/api/runs/{id}/step": {
    naming: ["tasks", "team_runs"].map((thing) => (named) => ({ at: `/console/api/runs/${named[thing]}/step?key=a` })),
  },
  "POST /console/api/runs/bulk": {
    naming: ["tasks", "team_runs"].map((one) => (named) => ({
      body: { action: "cancel", ids: [named[one]], expect: 1 },
    })),
  },
  "POST /console/api/runs/{id}/fork": ofRuns({ from_step: 0 }),
  "POST /console/api/runs/{id}/retry": ofRuns(),

  "POST /auth/answer-link": { plain: [just({ token: "x" })] },
  "POST /auth/answer-link/answer": { plain: [just({ token: "x", name: "X", approved: true })] },
  "POST /auth/sign-up": { plain: [() => ({ body: { email: `${newId()}@example.org`, password: "a long password" } })] },
  "POST /auth/sign-in": { naming: [signIn] },
  "POST /auth/token": { naming: [signIn] },
  "POST /auth/refresh": {
    naming: [({ workspaces: id }, own) => ({ body: { workspace_id: id }, headers: { cookie: own["cookie"] ?? "" } })],
  },
  "POST /auth/sign-out": refused,
  "POST /auth/password": { plain: [just({ current_password: "wrong", new_password: "a new password" })] },
  "GET /auth/setup": { plain: [() => ({ at: "/auth/setup?token=x" })] },
  "POST /auth/setup": { plain: [just({ token: "x", email: "x@example.org", password: "a long password" })] },
  "GET /auth/reset": { plain: [() => ({ at: "/auth/reset?token=x" })] },
  "POST /auth/reset": { plain: [just({ token: "x", password: "a long password" })] },
  "GET /auth/invitations": { plain: [() => ({ at: "/auth/invitations?token=x" })] },
  "POST /auth/invitations/accept": { plain: [just({ token: "x", password: "a long password" })] },
  "GET /auth/sessions": open,
  "DELETE /auth/sessions": open,
  "DELETE /auth/sessions/{id}": inPath("sessions"),
  "GET /auth/options": open,
  "GET /auth/me": open,
  "PATCH /auth/me": { plain: [just({ name: "X" })] },
  "GET /auth/locate": {
    naming: (["tasks", "team_runs", "agents", "files", "workspaces"] as const).map((thing): Probe => (named) => ({
      at: `/auth/locate?id=${named[thing]}`,
    })),
  },

  "GET /healthz": open,
  "GET /version": open,
  "GET /docs": open,
  "GET /docs/start.js": open,
  "GET /docs/{file}": open,
  "GET /readyz": open,
  "GET /openapi.json": open,
  "GET /ag-ui/health": open,
  "POST /ag-ui/{agentId}/sse": {
    naming: [
      ({ agents, tasks }) => ({ at: `/ag-ui/${agents}/sse`, body: { threadId: tasks } }),
      ({ tasks }, own) => ({ at: `/ag-ui/${own["agents"]}/sse`, body: { threadId: tasks } }),
      ({ agents }, own) => ({ at: `/ag-ui/${agents}/sse`, body: { threadId: own["tasks"] } }),
    ],
  },
  "POST /ag-ui/runs/{runId}/sse": { naming: [({ team_runs: id }) => ({ param: id, body: {} })] },
  "POST /ag-ui/runs/{runId}/respond": {
    naming: [
      ({ team_runs: id, interaction }) => ({ param: id, body: approval(id, interaction) }),
      ({ interaction }, own) => ({ param: own["team_runs"], body: approval(own["team_runs"], interaction) }),
    ],
  },
  "POST /ag-ui/{agentId}/respond": {
    naming: [
      ({ agents, tasks, interaction }) => ({ at: `/ag-ui/${agents}/respond`, body: approval(tasks, interaction) }),
      ({ tasks, interaction }, own) => ({ at: `/ag-ui/${own["agents"]}/respond`, body: approval(tasks, interaction) }),
      ({ interaction }, own) => ({ at: `/ag-ui/${own["agents"]}/respond`, body: approval(own["tasks"], interaction) }),
    ],
  },

  "GET /v1/models": open,
  "GET /v1/models/{model}": { naming: [({ agents: id }) => ({ param: id }), ({ teams: id }) => ({ param: id })] },
  "POST /v1/chat/completions": {
    naming: [({ agents: model }) => ({ body: { model, messages: [{ role: "user", content: "X" }] } })],
  },
  "POST /v1/responses": {
    naming: [
      ({ teams: model }) => ({ body: { model, input: "X" } }),
      ({ tasks: id }, own) => ({ body: { model: own["agents"], input: "X", previous_response_id: `resp_${id}` } }),
    ],
  },
  "GET /v1/responses/{id}": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "POST /v1/responses/{id}/cancel": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "ANY /mcp": {
    plain: [() => ({ method: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } })],
    naming: [({ agents: name }) => ({ method: "POST", body: toolCall(name) })],
  },
  "GET /a2a": open,
  "POST /a2a": {
    plain: [just(rpcCall("ListTasks", {}))],
    naming: [
      ({ tasks: id }) => ({ body: rpcCall("GetTask", { id }) }),
      ({ agents: id }) => ({ body: rpcCall("ListTasks", { metadata: { agent_id: id } }) }),
    ],
  },
  "GET /a2a/{agentId}": inPath("agents"),
  "POST /a2a/{agentId}": {
    naming: [
      ({ agents: param }) => ({ param, body: rpcCall("GetExtendedAgentCard", {}) }),
      ({ agents: param }) => ({ param, body: rpcCall("ListTasks", {}) }),
      ({ tasks: id }, { agents: param }) => ({ param, body: rpcCall("tasks/get", { id }) }),
      ({ tasks: id }, { agents: param }) => ({ param, body: rpcCall("CancelTask", { id }) }),
      ({ tasks: taskId }, { agents: param }) => ({
        param,
        body: rpcCall("ListTaskPushNotificationConfigs", { taskId }),
      }),
    ],
  },
  ...Object.fromEntries(
    ["agent.json", "agent-card.json"].flatMap((file) => [
      [`GET /.well-known/${file}`, open],
      [`GET /a2a/.well-known/${file}`, open],
      [`GET /a2a/{agentId}/.well-known/${file}`, inPath("agents")],
    ]),
  ),
  "ANY /rest/v1/{table}": { naming: tableProbes() },
  "ANY /rest/v1/rpc/{function}": {
    naming: [
      ({ agents }) => ({
        method: "POST",
        at: "/rest/v1/rpc/increment_install_count",
        body: { agent_row_id: agents },
      }),
    ],
  },
};
