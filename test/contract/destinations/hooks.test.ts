import { afterAll, beforeAll, expect } from "vitest";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { apiOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const UNKNOWN = "01940000-0000-7000-8000-000000000000";
const HOOK = { target_url: "https://example.com/hook", event: "task_completed" };
const EVENTS = [
  "task_started",
  "task_completed",
  "task_failed",
  "task_waiting_for_input",
  "team_run_started",
  "team_run_completed",
  "team_run_failed",
  "audit_recorded",
];

let service: TestService;
let api: Api;

beforeAll(async () => {
  service = await startService();
  api = apiOf(service, service.keys.api);
});
afterAll(() => service.stop());

async function createHook(fields: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
  const answer = await api.post("/api-hooks", { ...HOOK, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return fieldsOf(answer);
}

verifies(
  ["hooks.create.returns-record", "hooks.record.fields", "hooks.create.secret-shown-once", "hooks.list.active"],
  "only the response that creates a subscription contains its secret; it is stored encrypted",
  async () => {
    const { secret, ...record } = await createHook();
    expect(record).toEqual({
      ...HOOK,
      id: expect.stringMatching(UUID),
      agent_id: null,
      team_id: null,
      is_active: true,
      created_at: expect.stringMatching(TIME),
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await api.get(`/api-hooks?id=${String(record["id"])}`);
    expect(read.body).toEqual(record);
    expect(listOf(await api.get("/api-hooks"))).toContainEqual(record);
    const [row] = await sql<{ secret_ciphertext: string; workspace_id: string }>(
      service.databaseUrl,
      "select secret_ciphertext, workspace_id from webhook_subscriptions where id = $1",
      [record["id"]],
    );
    const box = createSecretBox(Buffer.alloc(32, 7));
    const context = `webhook_subscriptions:${row?.workspace_id}:${String(record["id"])}`;
    expect(box.open(row?.secret_ciphertext ?? "", context)).toBe(secret);
    expect(JSON.stringify(service.output())).not.toContain(secret);
    expect((await createHook())["secret"]).not.toBe(secret);
  },
);

verifies("hooks.list.active", "a subscription that is not active is not listed", async () => {
  const [{ id: on }, { id: off }] = [await createHook(), await createHook()];
  await sql(service.databaseUrl, "update webhook_subscriptions set is_active = false where id = $1", [off]);
  const listed = idsOf(await api.get("/api-hooks?limit=200"));
  expect([listed.includes(String(on)), listed.includes(String(off))]).toEqual([true, false]);
});

verifies(["hooks.create.events", "hooks.create.dotted-events"], "each event is accepted, also with a dot", async () => {
  for (const event of EVENTS) {
    expect((await createHook({ event }))["event"]).toBe(event);
    const dotted = event.replace(/^(task|team_run|audit)_/, "$1.");
    expect((await createHook({ event: dotted }))["event"]).toBe(event);
  }
});

verifies("hooks.create.unknown-event-400", "any other event is rejected with a list of the known ones", async () => {
  const before = idsOf(await api.get("/api-hooks?limit=200"));
  for (const event of ["task_deleted", "task.done", "team.run_failed", "TASK_FAILED", "", null, undefined, 7]) {
    const answer = refusal(await api.post("/api-hooks", { ...HOOK, event }));
    expect(answer).toMatchObject({ status: 400, code: "bad_request", paths: ["event"] });
    for (const allowed of EVENTS) expect(answer.message).toContain(allowed);
  }
  expect(idsOf(await api.get("/api-hooks?limit=200"))).toEqual(before);
});

const badUrls = [
  undefined,
  null,
  "",
  "example.com/hook",
  "ftp://example.com",
  "http://example.com/hook",
  "http://127.0.0.1:8080/hook",
  "https://user:secret@example.com/hook",
  `https://example.com/${"x".repeat(2_000)}`,
];
for (const target_url of badUrls) {
  verifies(
    "hooks.create.target-url-required",
    `the target ${String(target_url).slice(0, 40)} is rejected`,
    async () => {
      const answer = await api.post("/api-hooks", { ...HOOK, target_url });
      expect(refusal(answer)).toMatchObject({ status: 400, code: "bad_request", paths: ["target_url"] });
    },
  );
}

verifies(
  "hooks.create.target-url-required",
  "plain http is accepted to this machine only, and only where the operator allows it",
  async () => {
    const { api: open } = await useScriptedService();
    const ask = (target_url: string) => open.post("/api-hooks", { ...HOOK, target_url });
    for (const host of ["127.0.0.1:4999", "localhost:4999", "[::1]:4999"]) {
      expect((await ask(`http://${host}/hook`)).status).toBe(201);
    }
    for (const host of ["example.com", "127.0.0.1.example.com", "10.0.0.1", "localhost.example.com"]) {
      expect(refusal(await ask(`http://${host}/`))).toMatchObject({ status: 400, paths: ["target_url"] });
    }
  },
);

verifies("hooks.create.filters-checked", "a subscription can be for one agent or team of its workspace", async () => {
  const agent = await createAgent(api);
  const team = await createTeam(api);
  expect(await createHook({ agent_id: agent.id, team_id: team.id })).toMatchObject({
    agent_id: agent.id,
    team_id: team.id,
  });
  const other = apiOf(service, (await addWorkspace(service.databaseUrl)).key);
  const [foreignAgent, foreignTeam] = [await createAgent(other), await createTeam(other)];
  for (const [path, id] of [
    ["agent_id", UNKNOWN],
    ["agent_id", foreignAgent.id],
    ["team_id", UNKNOWN],
    ["team_id", foreignTeam.id],
  ] as const) {
    expect(refusal(await api.post("/api-hooks", { ...HOOK, [path]: id }))).toMatchObject({
      status: 400,
      paths: [path],
    });
  }
  expect(idsOf(await other.get("/api-hooks"))).toEqual([]);
});

verifies("hooks.create.filters-checked", "a subscription to an agent or team is deleted with it", async () => {
  const team = await createTeam(api);
  const { id } = await createHook({ team_id: team.id });
  await api.delete(`/api-teams?id=${team.id}`);
  expect((await api.get(`/api-hooks?id=${String(id)}`)).status).toBe(404);
});

verifies("errors.method-not-allowed", "a subscription cannot be changed", async () => {
  const { id } = await createHook();
  const answer = await api.patch(`/api-hooks?id=${String(id)}`, { event: "task_failed" });
  expect([refusal(answer).status, answer.headers.get("allow")]).toEqual([405, "GET, POST, DELETE, HEAD, OPTIONS"]);
});

verifies("envelope.success.delete-204", "a deleted subscription is no longer found", async () => {
  const path = `/api-hooks?id=${String((await createHook())["id"])}`;
  expect(await api.delete(path)).toMatchObject({ status: 204, text: "" });
  for (const answer of [await api.get(path), await api.delete(path)]) {
    expect(refusal(answer)).toMatchObject({ status: 404, message: "Webhook subscription not found" });
  }
});

verifies("envelope.body.unknown-fields-400", "a subscription rejects unknown fields", async () => {
  expect(refusal(await api.post("/api-hooks", { ...HOOK, secret: "mine" })).paths).toEqual(["secret"]);
});
