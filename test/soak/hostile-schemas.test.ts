import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, refusal } from "../support/api.ts";
import { createTool } from "../support/custom-tools.ts";
import { answerJson, startFakeServer } from "../support/fake-server.ts";
import type { FakeServer } from "../support/fake-server.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { addWorkspace } from "../support/workspace.ts";

const CATASTROPHIC = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
const ENDLESS = { arguments: { a: `${"a".repeat(60)}!` } };
const HOSTILE_LOOPS = 4;
/** A neighbour's checks while the endless ones run; more would only take CPU time. */
const OWN_CHECKS = 10;

let endpoint: FakeServer;
let service: TestService;

beforeAll(async () => {
  endpoint = await startFakeServer((_, response) => answerJson(response, { ok: true }));
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await service.stop();
  await endpoint.close();
});

verifies("hardening.schemas.isolated", "a check that takes indefinitely delays no other workspace", async () => {
  const neighbour = await addWorkspace(service.databaseUrl);
  const hostileTool = await createTool(service, { name: "hostile", url: endpoint.url, parameters: CATASTROPHIC });
  const ownTool = await createTool(service, { name: "own", url: endpoint.url }, neighbour.key);
  const attacker = consoleOf(service, service.keys.api);
  const [api, console_] = [apiOf(service, neighbour.key), consoleOf(service, neighbour.key)];

  let running = HOSTILE_LOOPS;
  let isFirstOver = false;
  const hostile = Array.from({ length: HOSTILE_LOOPS }, async () => {
    const answered = await attacker.post(`/tools/${hostileTool}/test`, ENDLESS);
    isFirstOver = true;
    running -= 1;
    return answered;
  });
  let reads = 0;
  while (!isFirstOver) {
    expect((await api.get("/api-agents")).status).toBe(200);
    reads += 1;
  }
  let ownChecks = 0;
  while (running > 0 && ownChecks < OWN_CHECKS) {
    expect((await console_.post(`/tools/${ownTool}/test`, { arguments: {} })).status).toBe(200);
    ownChecks += 1;
  }
  expect(reads).toBeGreaterThan(10);
  expect(ownChecks).toBeGreaterThan(3);

  for (const answered of await Promise.all(hostile)) {
    expect([400, 429]).toContain(answered.status);
    if (answered.status === 400) expect(refusal(answered).paths).toEqual(["arguments"]);
    else expect(answered.headers.get("retry-after")).toBe("10");
  }
});
