import { beforeAll, expect, test } from "vitest";
import { apiOf, send } from "../../support/api.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  agentId = (await createAgent(apiOf(service, service.keys.api), { is_a2a_published: true })).id;
});

test("a path with a trailing slash is the same as without, on every surface", async () => {
  const { api, mcp, a2a, agui, table, anon } = service.keys;
  const task = await createTask(apiOf(service, api), { assigned_agent_id: agentId, description: QUICK });
  const rpc = (method: string, params = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  const requests = [
    { method: "GET", path: "/functions/v1/api-agents", key: api },
    { method: "GET", path: "/console/api/models", key: api },
    { method: "GET", path: "/v1/models", key: api },
    { method: "GET", path: "/rest/v1/agents", key: table, headers: { apikey: anon } },
    { method: "GET", path: "/rest/v1", key: table, headers: { apikey: anon } },
    { method: "GET", path: `/a2a/${agentId}` },
    { method: "GET", path: "/docs" },
    { method: "POST", path: "/mcp", key: mcp, body: rpc("tools/list") },
    { method: "POST", path: "/a2a", key: a2a, body: rpc("tasks/get", { id: task.id }) },
    { method: "POST", path: `/a2a/${agentId}`, key: a2a, body: rpc("tasks/get", { id: task.id }) },
    { method: "POST", path: `/ag-ui/${agentId}/sse`, key: agui, body: { threadId: task.id } },
  ];
  for (const { method, path, key, body, headers } of requests) {
    const request = { headers: { ...headers, ...(key && { authorization: `Bearer ${key}`, "x-api-key": key }) }, body };
    const plain = await send(method, service.url + path, request);
    const slashed = await send(method, `${service.url}${path}/`, request);
    expect([path, plain.status]).toEqual([path, 200]);
    expect([path, slashed.status, typeof slashed.body]).toEqual([path, 200, typeof plain.body]);
  }
});
