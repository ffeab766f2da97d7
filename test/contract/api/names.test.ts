import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { send } from "../../support/api.ts";
import { freePort } from "../../support/free-port.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

let service: TestService;
let port: number;

beforeAll(async () => {
  port = await freePort();
  service = await startService({ env: { PORT: String(port) } });
});
afterAll(() => service.stop());

verifies("names.port.default-4400", "the port is 4400 unless PORT says otherwise", async () => {
  expect(readConfig({}).PORT).toBe(4400);
  expect(readConfig({ PORT: "" }).PORT).toBe(4400);
  expect(service.url).toBe(`http://127.0.0.1:${port}`);
  expect((await send("GET", `http://127.0.0.1:${port}/healthz`)).status).toBe(200);
});

const surfaces = [
  { verifies: ["names.path.functions-v1", "names.one-process"], path: "/functions/v1/api-me", key: "x-api-key" },
  { verifies: "names.one-process", path: "/console/api/provider-keys", key: "x-api-key" },
  { verifies: ["names.path.ag-ui", "names.one-process"], path: "/ag-ui/health", key: undefined },
  { verifies: "names.one-process", path: "/openapi.json", key: undefined },
] as const;
for (const row of surfaces) {
  const { path, key } = row;
  verifies(row.verifies, `one port serves ${path}`, async () => {
    const headers: Record<string, string> = key === undefined ? {} : { [key]: service.keys.api };
    expect((await send("GET", `http://127.0.0.1:${port}${path}`, { headers })).status).toBe(200);
  });
}

verifies(["names.path.functions-v1", "names.path.ag-ui"], "no other port serves the surfaces", async () => {
  const headers = { "x-api-key": service.keys.api };
  for (const path of ["/api-me", "/api-agents", "/v1/api-me", "/functions/v2/api-me", "/health", "/agui/health"]) {
    expect((await send("GET", service.url + path, { headers })).status).toBe(404);
  }
});
