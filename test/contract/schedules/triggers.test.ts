import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, readTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const SECRET = "a secret of the sender";
const shown = z.looseObject({ id: z.string(), token: z.string(), url: z.string() });

let service: TestService;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_FREE: "3", LOG_LEVEL: "info" } });
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});
afterAll(() => service.stop());

async function trigger(fields: object = {}, on = desk) {
  const body = { name: "T", assigned_agent_id: agentId, title: "Event", description: QUICK, ...fields };
  const answer = await on.post("/triggers", body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return shown.parse(answer.body);
}

function deliver(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return send("POST", url, { body, headers });
}

function taskOf(answer: Answer): string {
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return z.strictObject({ task_id: z.uuid() }).parse(answer.body).task_id;
}

async function described(answer: Answer): Promise<unknown> {
  return (await readTask(api, taskOf(answer)))["description"];
}

function logOf(id: string) {
  return desk.get(`/triggers/${id}/deliveries`).then(listOf);
}

verifies(
  ["triggers.resource", "triggers.token.once"],
  "a trigger is created, read, changed, listed and deleted, and its URL is shown once",
  async () => {
    const whole = {
      name: "Builds",
      is_active: true,
      assigned_agent_id: agentId,
      title: "Build",
      description: "Look.",
      priority: "low",
      metadata: { a: 1 },
    };
    const created = await desk.post("/triggers", { ...whole, secret: SECRET });
    const { token, url, ...record } = fieldsOf(created);
    expect(created.status).toBe(201);
    expect(record).toMatchObject({ ...whole, assigned_team_id: null, has_secret: true });
    expect(token).toMatch(/^mst_hook_[0-9A-Za-z]{43}$/);
    expect(url).toBe(`${service.url}/hooks/in/${String(token)}`);
    expect(record["token_prefix"]).toBe(String(token).slice(0, 12));

    const one = `/triggers/${String(record["id"])}`;
    const read = await desk.get(one);
    expect(read.body).toEqual(record);
    expect((await desk.get("/triggers")).text + read.text).not.toContain(token);
    const [row] = await sql<{ hash: string; all: string }>(
      service.databaseUrl,
      "select token_hash as hash, to_jsonb(t)::text as all from triggers t where id = $1",
      [record["id"]],
    );
    expect(row?.hash).toBe(hashKey(String(token)));
    expect(row?.all).not.toContain(SECRET);
    expect((await desk.patch(one, { ...record, name: "Renamed", secret: null })).body).toMatchObject({
      name: "Renamed",
      has_secret: false,
      title: "Build",
    });
    const team = await createTeam(api);
    const moved = await desk.patch(one, { assigned_team_id: team.id, metadata: {}, description: "" });
    expect(moved.body).toMatchObject({
      assigned_agent_id: null,
      assigned_team_id: team.id,
      metadata: {},
      description: "",
    });
    const newer = await trigger();
    expect(idsOf(await desk.get("/triggers?limit=2"))).toEqual([newer.id, record["id"]]);
    expect(await desk.delete(one)).toMatchObject({ status: 204, text: "" });
    expect(refusal(await deliver(String(url), {}))).toMatchObject({ status: 404 });
    for (const gone of [await desk.get(one), await desk.patch(one, {}), await desk.delete(one)]) {
      expect(refusal(gone)).toMatchObject({ status: 404, code: "not_found" });
    }
    expect(refusal(await desk.post(`${one}/rotate`, {}))).toMatchObject({ status: 404 });
    expect(refusal(await desk.get(`${one}/deliveries`))).toMatchObject({ status: 404 });
  },
);

verifies("triggers.resource", "invalid fields are rejected with their path; a viewer can only read", async () => {
  const good = { name: "T", assigned_agent_id: agentId, title: "E" };
  const { id } = await trigger();
  for (const [fault, path] of [
    [{ name: "" }, "name"],
    [{ title: "t".repeat(201) }, "title"],
    [{ secret: "short" }, "secret"],
    [{ colour: "red" }, "colour"],
    [{ assigned_agent_id: newId() }, "assigned_agent_id"],
    [{ assigned_agent_id: null }, "assigned_agent_id"],
  ] as const) {
    expect(refusal(await desk.post("/triggers", { ...good, ...fault }))).toMatchObject({ status: 400, paths: [path] });
    expect(refusal(await desk.patch(`/triggers/${id}`, fault))).toMatchObject({ status: 400, paths: [path] });
  }
  const { workspace_id } = z.looseObject({ workspace_id: z.string() }).parse((await api.get("/api-me")).body);
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspace_id, "viewer")).key);
  expect((await viewer.get(`/triggers/${id}/deliveries`)).status).toBe(200);
  for (const refused of [
    await viewer.post("/triggers", good),
    await viewer.patch(`/triggers/${id}`, { name: "X" }),
    await viewer.post(`/triggers/${id}/rotate`, {}),
    await viewer.delete(`/triggers/${id}`),
  ]) {
    expect(refusal(refused)).toMatchObject({ status: 403, code: "forbidden" });
  }
});

verifies(
  ["triggers.deliver", "triggers.payload", "triggers.log"],
  "a delivery becomes a task of the agent, with the payload in it",
  async () => {
    const { id, url } = await trigger({ priority: "urgent", metadata: { from: "ci" } });
    const answer = await deliver(url, '{"build":12345678901234567890,"ok":true}', { "x-github-delivery": "d-1" });
    const task = await taskIn(api, taskOf(answer), "completed");
    expect(task).toMatchObject({
      title: "Event",
      priority: "urgent",
      metadata: { from: "ci" },
      assigned_agent_id: agentId,
      created_by: fieldsOf(await api.get("/api-me"))["id"],
      result: "done",
      description: `${QUICK}\n\n## Payload\n\n\`\`\`json\n{\n  "build": 12345678901234567890,\n  "ok": true\n}\n\`\`\``,
    });
    expect(await logOf(id)).toMatchObject([
      { outcome: "accepted", reason: null, delivery_key: "d-1", bytes: 40, task_id: task.id },
    ]);
  },
);

verifies("triggers.deliver", "tasks are also created for a team", async () => {
  const team = await createTeam(api);
  const { url } = await trigger({ assigned_agent_id: null, assigned_team_id: team.id });
  expect(await taskIn(api, taskOf(await deliver(url, {})), "completed")).toMatchObject({ assigned_team_id: team.id });
});

verifies("triggers.payload", "other text is unchanged, may be empty, and is cut when long", async () => {
  const { url } = await trigger({ description: "" });
  const plain = { "content-type": "text/plain" };
  expect(await described(await deliver(url, "a = 1\n```b", plain))).toBe("## Payload\n\n````\na = 1\n```b\n````");
  expect(await described(await send("POST", url))).toBe("");
  const long = String(await described(await deliver(url, "😀".repeat(50_000), plain)));
  expect(long).toContain(`\n${"😀".repeat(49_000)}\n\`\`\``);
  expect(long).toContain("it has 50000 characters");
  expect(await described(await deliver(url, "a\0b", plain))).toContain("a\uFFFDb");
  expect(await described(await deliver(url, "[".repeat(5_000) + "]".repeat(5_000)))).toContain("[".repeat(5_000));
});

verifies(
  ["triggers.unreadable-400", "triggers.log"],
  "an unreadable body is rejected, and the log records the reason",
  async () => {
    const { id, url } = await trigger();
    expect(refusal(await deliver(url, "{"))).toMatchObject({ status: 400, code: "bad_request" });
    const bytes = await fetch(url, { method: "POST", body: new Uint8Array([0xff, 0xfe]) });
    expect(bytes.status).toBe(400);
    expect(refusal(await deliver(url, {}, { "idempotency-key": "k".repeat(256) }))).toMatchObject({ status: 400 });
    expect(await logOf(id)).toMatchObject([
      { outcome: "refused", reason: "The body must be text in UTF-8.", task_id: null, bytes: 2 },
      {
        outcome: "refused",
        reason: "The body must be JSON: the closing } is missing (line 1, column 2).",
        task_id: null,
        bytes: 1,
      },
    ]);
  },
);

verifies("triggers.unknown-404", "an unknown URL is 404, and other methods are 405", async () => {
  const unknown = `${service.url}/hooks/in/mst_hook_${"0".repeat(43)}`;
  expect(refusal(await deliver(unknown, {}))).toMatchObject({ status: 404, code: "not_found" });
  const { url } = await trigger();
  expect(refusal(await send("GET", url))).toMatchObject({ status: 405 });
});

verifies("triggers.token.rotate", "a new URL replaces the old one", async () => {
  const { id, url } = await trigger();
  const next = shown.parse((await desk.post(`/triggers/${id}/rotate`, {})).body);
  expect(next.url).not.toBe(url);
  expect((await deliver(url, {})).status).toBe(404);
  expect((await deliver(next.url, {})).status).toBe(202);
});

verifies("triggers.signature", "with a secret only signed deliveries are accepted", async () => {
  const { id, url } = await trigger({ secret: SECRET });
  const body = '{"a": 1}';
  const sign = (secret: string) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  expect((await deliver(url, body, { "x-hub-signature-256": sign(SECRET) })).status).toBe(202);
  expect((await deliver(url, body, { "x-service-signature": sign(SECRET) })).status).toBe(202);
  for (const signature of ["", sign("another"), "sha256="]) {
    const headers = { "x-hub-signature-256": signature };
    expect(refusal(await deliver(url, body, headers))).toMatchObject({ status: 401, code: "unauthorized" });
  }
  expect((await deliver(url, '{"a": 2}', { "x-hub-signature-256": sign(SECRET) })).status).toBe(401);
  expect((await logOf(id)).map(({ outcome }) => outcome).join()).toBe(
    "refused,refused,refused,refused,accepted,accepted",
  );
  await desk.patch(`/triggers/${id}`, { secret: null });
  expect((await deliver(url, body)).status).toBe(202);
});

verifies("triggers.idempotent", "deliveries with one id create one task, also concurrently", async () => {
  const { id, url } = await trigger();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => deliver(url, { n: 1 }, { "idempotency-key": "one" })),
  );
  expect(new Set(answers.map(taskOf)).size).toBe(1);
  const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
  expect(replayed.length).toBe(7);
  expect(refusal(await deliver(url, { n: 2 }, { "idempotency-key": "one" }))).toMatchObject({ status: 409 });
  expect(taskOf(await deliver(url, { n: 1 }, { "webhook-id": "two" }))).not.toBe(answers.map(taskOf)[0]);
  expect((await deliver(url, { n: 1 })).status).toBe(202);
  expect((await deliver(url, { n: 1 })).headers.get("idempotent-replayed")).toBe(null);
  const accepted = (await logOf(id)).filter(({ outcome }) => outcome === "accepted");
  expect(accepted.length).toBe(4);
});

verifies("triggers.pause", "a paused trigger rejects a delivery, and accepts it later", async () => {
  const { id, url } = await trigger();
  await desk.patch(`/triggers/${id}`, { is_active: false });
  expect(refusal(await deliver(url, {}, { "x-delivery-id": "d" }))).toMatchObject({ status: 409, code: "conflict" });
  await desk.patch(`/triggers/${id}`, { is_active: true });
  expect((await deliver(url, {}, { "x-delivery-id": "d" })).status).toBe(202);
});

verifies("triggers.limit", "more than the plan's requests in a minute are 429, all triggers together", async () => {
  const workspace = await addWorkspace(service.databaseUrl);
  const own = consoleOf(service, workspace.key);
  const agent = await createAgent(apiOf(service, workspace.key));
  const fields = { assigned_agent_id: agent.id };
  const [first, second] = [await trigger(fields, own), await trigger(fields, own)];
  const answers = [];
  // Two minutes may be touched, not three.
  for (let count = 0; count < 7; count++) answers.push(await deliver((count % 2 === 0 ? first : second).url, {}));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answers[0]?.headers.get("x-ratelimit-limit")).toBe("3");
});

verifies("triggers.deleted", "it is deleted with its agent, and its tasks stay", async () => {
  const agent = await createAgent(api);
  const { id, url } = await trigger({ assigned_agent_id: agent.id });
  const taskId = taskOf(await deliver(url, {}));
  await taskIn(api, taskId, "completed");
  await api.delete(`/api-agents?id=${agent.id}`);
  expect([(await desk.get(`/triggers/${id}`)).status, (await deliver(url, {})).status]).toEqual([404, 404]);
  expect((await api.get(`/api-tasks?id=${taskId}`)).status).toBe(200);
});

verifies("triggers.token.once", "no log line contains a trigger's URL", async () => {
  const { url, token } = await trigger();
  await deliver(url, {});
  await deliver(`${url}/x`, {});
  await deliver(url.replace("/hooks/", "//hooks/"), {});
  await deliver(url.replace("/hooks/in/", "/hooks%2Fin%2F"), {});
  const { stdout, stderr } = service.output();
  expect(stdout + stderr).toContain("/hooks/in/…");
  expect(stdout + stderr).not.toContain(token);
});
