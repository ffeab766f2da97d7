import { beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

let service: SharedService;

beforeAll(async () => void (service = await useSharedService()));

verifies("limits.protocols.every-request", "a request that only reads counts at A2A, MCP and AG-UI", async () => {
  const { a2a, mcp, agui } = service.keys;
  const rpc = (method: string) => ({ jsonrpc: "2.0", id: 1, method, params: {} });
  const left = [
    await remaining("/a2a", a2a, rpc("ListTasks")),
    await remaining("/a2a", a2a, rpc("no such method")),
    await remaining("/mcp", mcp, rpc("tools/list")),
    await remaining(`/ag-ui/${newId()}/sse`, agui, { threadId: newId() }),
    await remaining(`/ag-ui/runs/${newId()}/sse`, agui, {}),
    await remaining(`/ag-ui/${newId()}/respond`, agui, {}),
  ];
  const [first = 0] = left;
  expect(left).toEqual(left.map((_, index) => first - index));
});

async function remaining(path: string, key: string, body: object): Promise<number> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}`, Accept: "application/json" };
  const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  await response.text();
  return Number(response.headers.get("X-RateLimit-Remaining"));
}
