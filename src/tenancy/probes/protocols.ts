import { approval, inPath, just, open, rpcCall } from "../probe-shapes.ts";
import type { Probes } from "../probe-shapes.ts";
import { tableProbes } from "../table-probes.ts";

const toolCall = (name: string | undefined) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: { message: "X" } },
});

/** What is asked of the routes of AG-UI, OpenAI, MCP, A2A and the table API. */
export const PROTOCOLS_PROBES: Readonly<Record<string, Probes>> = {
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
  "POST /ag-ui/runs/{runId}/feedback": {
    naming: [({ team_runs: id }) => ({ param: id, body: { rating: "up" } })],
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
  "DELETE /v1/responses/{id}": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "GET /v1/responses/{id}/input_items": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "GET /v1/responses/{id}": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "POST /v1/responses/{id}/cancel": { naming: [({ tasks: id }) => ({ param: `resp_${id}` })] },
  "ANY /mcp": {
    plain: [() => ({ method: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } })],
    naming: [
      ({ agents: name }) => ({ method: "POST", body: toolCall(name) }),
      ...["tasks/get", "tasks/result", "tasks/cancel"].map(
        (method) =>
          ({ tasks: taskId }: { readonly tasks?: string }) => ({
            method: "POST",
            body: { jsonrpc: "2.0", id: 1, method, params: { taskId } },
          }),
      ),
    ],
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
  "ANY /rest/v1/rpc/{name}": {
    naming: [
      ({ agents }) => ({
        method: "POST",
        at: "/rest/v1/rpc/increment_install_count",
        body: { agent_row_id: agents },
      }),
    ],
  },
};
