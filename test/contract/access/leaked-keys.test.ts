import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { generateKey } from "#domain/access/api-key.ts";
import { refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { createKey, keyStatus } from "../../support/keys.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { openWorkspace } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a key. */
const AT_ONCE_MS = 15_000;

let service: TestService;
let second: TestService;
let receiver: Receiver;

beforeAll(async () => {
  const env = { LOG_LEVEL: "trace", ALLOW_PRIVATE_URLS: "true", TRUSTED_PROXIES: "1" };
  receiver = await startReceiver();
  service = await startService({ env });
  second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
  await receiver.close();
});

function report(body: unknown, address = "192.0.2.1"): Promise<Answer> {
  return send("POST", `${service.url}/auth/keys/leaked`, { headers: { "X-Forwarded-For": address }, body });
}

const page = z.object({ items: z.array(z.looseObject({ action: z.string() })) });

/** What the audit log has of keys, newest first. */
async function auditOf(console: Api) {
  return page.parse((await console.get("/audit?kind=key")).body).items;
}

verifies(
  ["keys.leaked", "keys.never-logged"],
  "a leaked key ends in every process with one audit entry; the response is that of an unknown key",
  async () => {
    const { console } = await openWorkspace(service);
    const { id } = await createRoute(console, `${receiver.url}/audit`, { events: ["audit.recorded"] });
    const leaked = await createKey(console, { label: "Pasted" });
    const kept = await createKey(console);
    await deliveriesOver(console, id, 3);
    expect([await keyStatus(service, leaked.key), await keyStatus(second, leaked.key)]).toEqual([200, 200]);

    const unknown = generateKey("envelope");
    const answer = await report({ keys: [unknown, leaked.key, leaked.key] });
    expect([answer.status, answer.body]).toEqual([202, { status: "received" }]);
    expect(await keyStatus(service, leaked.key)).toBe(401);
    await eventually("the other process knows", async () => (await keyStatus(second, leaked.key)) === 401, AT_ONCE_MS);
    for (const keys of [[leaked.key], [unknown], [service.keys.anon]]) {
      const again = await report({ keys });
      expect([again.status, again.text]).toEqual([202, answer.text]);
    }
    expect(await keyStatus(service, kept.key)).toBe(200);

    const entries = await auditOf(console);
    expect(entries.map((entry) => entry.action)).toEqual(["key.leaked", "key.created", "key.created", "key.created"]);
    expect(entries[0]).toMatchObject({ actor: null, subject: { kind: "key", id: leaked.id, name: "Pasted" } });
    await deliveriesOver(console, id, 4);
    expect(receiver.received("/audit").map(({ task_title: title }) => title)).toContain("key.leaked: Pasted");
    for (const { stdout, stderr } of [service.output(), second.output()]) {
      for (const hidden of [leaked.key, unknown]) expect(stdout + stderr).not.toContain(hidden);
    }
  },
);

verifies("keys.leaked", "a key that is deleted by hand is not called leaked", async () => {
  const { console } = await openWorkspace(service);
  const { id, key } = await createKey(console);
  await report({ keys: [(await createKey(console)).key] });
  expect((await console.delete(`/keys/${id}`)).status).toBe(204);
  await report({ keys: [key] });
  const [latest] = await auditOf(console);
  expect(latest?.action).toBe("key.deleted");
});

verifies("keys.leaked", "a report of the wrong form is 400 and does not show what was sent", async () => {
  const secret = "sk-ant-hush-hush-hush";
  const many = Array.from({ length: 101 }, () => generateKey("envelope"));
  for (const [body, path] of [
    [{}, "keys"],
    [{ keys: [] }, "keys"],
    [{ keys: many }, "keys"],
    [{ keys: secret }, "keys"],
    [{ keys: [generateKey("mcp"), secret] }, "keys.1"],
    [{ keys: [`mst_${"x".repeat(201)}`] }, "keys.0"],
  ] as const) {
    const answer = await report(body);
    expect(refusal(answer)).toMatchObject({ status: 400, paths: [path] });
    for (const hidden of [secret, "xxxx", many[0] ?? ""]) expect(answer.text).not.toContain(hidden);
  }
  const raw = await report(`{"keys":["${secret}`);
  expect([raw.status, raw.text.includes(secret)]).toEqual([400, false]);
});

verifies("keys.leaked", "one address sends 50 reports in 15 minutes; others are not affected", async () => {
  const body = { keys: [generateKey("envelope")] };
  for (let sent = 0; sent < 50; sent++) expect((await report(body, "192.0.2.50")).status).toBe(202);
  const refused = await report(body, "192.0.2.50");
  expect(refusal(refused)).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await report(body, "192.0.2.51")).status).toBe(202);
});
