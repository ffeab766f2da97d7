import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { bearer } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { openMarketplace } from "../../support/marketplace.ts";
import type { Marketplace } from "../../support/marketplace.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readAgent, taskIn } from "../../support/work.ts";
import { addKey, sql } from "../../support/workspace.ts";

const LATER = "2999-01-01T00:00:00Z";
const ADVICE = /waits for a review.*needs_review.*muster agents confirm/;

let service: Marketplace["service"];
let publisher: Marketplace["publisher"];
let listed: Omit<Marketplace["listed"], "output_schema"> & { readonly output_schema: null };
let other: Marketplace["other"];
let install: Marketplace["install"];
let api: Api;
let admin: Api;
let raw: ReturnType<typeof rawTable>;
/** Sends a request to an agent by another surface, with a key of that kind. */
let call: (kind: "envelope" | "a2a" | "ag-ui" | "mcp", path: string, body: unknown) => Promise<Answer>;

beforeAll(async () => {
  const marketplace = await openMarketplace();
  ({ service, publisher, other, install } = marketplace);
  listed = { ...marketplace.listed, output_schema: null };
  api = apiOf(service, other.key);
  admin = consoleOf(service, other.key);
  raw = rawTable(service, await addKey(service.databaseUrl, { ...other, kind: "table" }));
  call = async (kind, path, body) => {
    const key = await addKey(service.databaseUrl, { ...other, kind });
    const headers = { ...bearer(key), accept: "application/json, text/event-stream" };
    return send("POST", `${service.url}${path}`, { headers, body });
  };
});

/** Installs a copy in the other workspace. */
async function installed(): Promise<string> {
  const { id } = await createAgent(publisher, listed);
  const { agent_id, needs_review } = await install(id);
  expect([needs_review, await readAgent(api, agent_id)]).toMatchObject([true, { needs_review: true }]);
  return agent_id;
}

function confirm(id: string): Promise<Answer> {
  return api.patch(`/api-agents?id=${id}`, { needs_review: false });
}

const ROWS = `
  select (select count(*) from tasks where workspace_id = $1) + (select count(*) from schedules where workspace_id = $1)
    + (select count(*) from triggers where workspace_id = $1) + (select count(*) from team_members where workspace_id = $1)
    as count`;

verifies("marketplace.review.blocks", "an unread copy is given no work, now or later, by the APIs", async () => {
  const id = await installed();
  const assigned = { assigned_agent_id: id, title: "Hello" };
  const { id: taskId } = await createTask(api, { title: "Unassigned" });
  const own = await createAgent(api, { name: "Own" });
  const schedule = { name: "S", cron: "0 9 * * *" };
  const { id: scheduleId } = fieldsOf(
    await admin.post("/schedules", { ...schedule, ...assigned, assigned_agent_id: own.id }),
  );
  const before = await sql(service.databaseUrl, ROWS, [other.workspaceId]);
  const answers = [
    await api.post("/api-tasks", assigned),
    await api.post("/api-tasks", { ...assigned, scheduled_for: LATER }),
    await api.patch(`/api-tasks?id=${taskId}`, { assigned_agent_id: id }),
    await api.patch(`/api-tasks?id=${taskId}`, { assigned_agent_id: id, scheduled_for: LATER }),
    await admin.post("/schedules", { ...schedule, ...assigned }),
    await admin.patch(`/schedules/${String(scheduleId)}`, { assigned_agent_id: id }),
    await admin.post("/triggers", { name: "T", ...assigned }),
    await api.post("/api-teams", { name: "Team", mode: "pipeline", config: { steps: [{ agent_id: id }] } }),
  ];
  for (const answer of answers) {
    expect(refusal(answer)).toMatchObject({ status: 409, code: "conflict", message: expect.stringMatching(ADVICE) });
  }
  const row = { title: "Hello", agent_id: id, priority: "low", workspace_id: other.workspaceId };
  const inserted = await raw("POST", "/tasks", { body: row });
  expect([inserted.status, inserted.body]).toMatchObject([409, { message: expect.stringMatching(ADVICE) }]);
  expect(await sql(service.databaseUrl, ROWS, [other.workspaceId])).toEqual(before);
});

verifies("marketplace.review.blocks", "an unread copy is called by no protocol, and each says why", async () => {
  const id = await installed();
  await api.patch(`/api-agents?id=${id}`, { name: "Unread", is_mcp_published: true, is_a2a_published: true });
  const text = { role: "user", messageId: newId(), parts: [{ kind: "text", text: "Hi" }] };
  const messages = [{ id: "1", role: "user", content: "Hi" }];
  const rpc = (method: string, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
  const answers = {
    a2a: await call("a2a", `/a2a/${id}`, rpc("message/send", { message: text })),
    agUi: await call("ag-ui", `/ag-ui/${id}/sse`, { threadId: newId(), runId: newId(), messages }),
    mcp: await call("mcp", "/mcp", rpc("tools/call", { name: "unread", arguments: { message: "Hi" } })),
    chat: await call("envelope", "/v1/chat/completions", { model: id, messages: [{ role: "user", content: "Hi" }] }),
    responses: await call("envelope", "/v1/responses", { model: id, input: "Hi" }),
  };
  for (const [surface, { text }] of Object.entries(answers))
    expect([surface, text]).toMatchObject([surface, expect.stringMatching(ADVICE)]);
  expect([answers.agUi.status, answers.chat.status, answers.responses.status]).toEqual([409, 409, 409]);
  const tasks = await sql(service.databaseUrl, "select from tasks where assigned_agent_id = $1", [id]);
  expect(tasks).toEqual([]);
  expect((await confirm(id)).status).toBe(200);
  const { text: answered } = await call(
    "mcp",
    "/mcp",
    rpc("tools/call", { name: "unread", arguments: { message: "Hi" } }),
  );
  expect(answered).not.toContain("isError");
});

verifies(
  "marketplace.review.confirm",
  "a copy is confirmed once and for all, and the audit log says by whom",
  async () => {
    const id = await installed();
    const at = `/api-agents?id=${id}`;
    // As a client that sends back what it has read.
    expect(fieldsOf(await api.patch(at, { needs_review: true, description: "Read it" }))).toMatchObject({
      needs_review: true,
    });
    const viewer = await addKey(service.databaseUrl, { ...other, scopes: ["read"] });
    expect((await apiOf(service, viewer).patch(at, { needs_review: false })).status).toBe(403);
    const { version } = fieldsOf(await api.get(at));
    expect(fieldsOf(await confirm(id))).toMatchObject({ needs_review: false, version });
    expect(refusal(await api.patch(at, { needs_review: true }))).toMatchObject({
      status: 400,
      paths: ["needs_review"],
      message: expect.stringContaining("can only be"),
    });
    const { id: taskId } = await createTask(api, { title: "Hello", assigned_agent_id: id });
    await taskIn(api, taskId, "completed");
    const { items } = fieldsOf(await admin.get("/audit?kind=agent&limit=1"));
    expect(items).toMatchObject([
      {
        action: "agent.changed",
        actor: { id: other.ownerId },
        subject: { id },
        changes: { needs_review: [true, false] },
      },
    ]);
  },
);

verifies("marketplace.review.confirm", "the table API shows and confirms it by the same rules", async () => {
  const id = await installed();
  const read = () => raw("GET", `/agents?id=eq.${id}&select=needs_review`);
  expect((await read()).body).toEqual([{ needs_review: true }]);
  await raw("PATCH", `/agents?id=eq.${id}`, { body: { needs_review: false } });
  expect((await read()).body).toEqual([{ needs_review: false }]);
  expect((await raw("PATCH", `/agents?id=eq.${id}`, { body: { needs_review: true } })).status).toBe(422);
});

verifies("marketplace.review.own", "a copy of the own agent works at once", async () => {
  const { id } = await createAgent(publisher, listed);
  const { agent_id, needs_review } = await install(id, service.keys.api);
  expect(needs_review).toBe(false);
  const { id: taskId } = await createTask(publisher, { title: "Hello", assigned_agent_id: agent_id });
  await taskIn(publisher, taskId, "completed");
});

verifies(
  "marketplace.review.copies",
  "a duplicate of an unread copy waits for its review, and so does an import",
  async () => {
    const id = await installed();
    const { name, model, needs_review } = await readAgent(api, id);
    const duplicate = fieldsOf(await api.post("/api-agents", { name, model, needs_review }));
    const file = (await admin.get(`/agents/${id}/export`)).body;
    const { agents } = fieldsOf(await admin.post("/agents/import", file));
    const imported = z.array(z.looseObject({ id: z.string() })).parse(agents)[0];
    for (const copy of [duplicate, imported]) {
      expect(copy).toMatchObject({ needs_review: true });
      const answer = await api.post("/api-tasks", { title: "Hello", assigned_agent_id: copy?.["id"] });
      expect(refusal(answer)).toMatchObject({ status: 409, message: expect.stringMatching(ADVICE) });
    }
    await confirm(id);
    const reviewed = fieldsOf(await admin.post("/agents/import", (await admin.get(`/agents/${id}/export`)).body));
    expect(reviewed).toMatchObject({ agents: [{ needs_review: false }] });
  },
);
