import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { formWith } from "../../support/files.ts";
import { createBase, formOf, upload } from "../../support/knowledge.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const RECORDS = 12;
const ENV = {
  RECORDS_FREE: String(RECORDS),
  STORED_MIB_FREE: "1",
  SCHEDULES_FREE: "2",
  WORKSPACES_PER_PERSON: "2",
  SIGN_UP: "open",
  SCHEDULE_MIN_SECONDS: "1",
};
const STORE_TASK =
  "insert into tasks (id, workspace_id, title, status) values (gen_random_uuid(), $1, 'Open', 'pending')";
const TOO_MANY = { status: 403, code: "quota_exceeded" };
const TWO_THIRDS_MIB = 700_000;
const workspaceAnswer = z.looseObject({
  quotas: z.record(z.string(), z.object({ used: z.int(), limit: z.int().nullable() })),
});

let database: TestDatabase;
let service: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  const keys = createKeys();
  service = await startService({ databaseUrl: database.url, keys, env: ENV });
  other = await startPeer({ databaseUrl: database.url, keys, env: ENV });
});
afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

async function usedBy({ key }: TestWorkspace) {
  return workspaceAnswer.parse((await consoleOf(service, key).get("/workspace")).body).quotas;
}

function statusesOf(answers: readonly Answer[]): readonly number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** Creates tasks without an agent until the workspace has a number of records; by default, its maximum. */
async function fill(workspace: TestWorkspace, records = RECORDS): Promise<void> {
  const api = apiOf(service, workspace.key);
  for (let used = (await usedBy(workspace))["records"]?.used ?? records; used < records; used++) await createTask(api);
}

async function uploadFile({ key }: TestWorkspace, bytes: number): Promise<Answer> {
  const file = { name: "a.txt", type: "text/plain", content: "x".repeat(bytes) };
  const options = { method: "POST", headers: { "x-api-key": key }, body: formWith(file) };
  const response = await fetch(`${service.url}/files`, options);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

verifies(
  ["limits.quota.records", "limits.quota.shown"],
  "one record more than the plan allows is rejected on every surface, until one is deleted",
  async () => {
    const workspace = await addWorkspace(database.url);
    const { key, workspaceId } = workspace;
    const api = apiOf(service, key);
    const agent = await createAgent(api);
    expect(await usedBy(workspace)).toMatchObject({ records: { used: 2, limit: RECORDS } });
    await fill(workspace);
    expect(await usedBy(workspace)).toMatchObject({ records: { used: RECORDS, limit: RECORDS } });

    const refused = await api.post("/api-tasks", { title: "One more" });
    expect(refusal(refused)).toMatchObject(TOO_MANY);
    expect(refusal(refused).message).toContain(`the plan free allows ${RECORDS} records`);
    expect(refusal(await api.patch(`/api-agents?id=${agent.id}`, { name: "Next version" }))).toMatchObject(TOO_MANY);
    // Another key would not help: not the exit code 4.
    const env = { ...environmentOf(service), MUSTER_API_KEY: key };
    expect(await runMuster(["agents", "create", "--name", "More", "--model", "demo"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(refusal(refused).message),
    });
    const tableKey = await addKey(database.url, { ...workspace, kind: "table" });
    const row = await send("POST", `${service.url}/rest/v1/tasks`, {
      headers: { apikey: tableKey, authorization: `Bearer ${tableKey}` },
      body: { title: "One more", workspace_id: workspaceId },
    });
    expect([row.status, fieldsOf(row)["code"]]).toEqual([403, "PT403"]);
    const aguiKey = await addKey(database.url, { ...workspace, kind: "ag-ui" });
    const thread = await send("POST", `${service.url}/ag-ui/${agent.id}/sse`, {
      headers: { authorization: `Bearer ${aguiKey}` },
      body: { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "Hi" }], tools: [], context: [] },
    });
    expect([thread.status, String(fieldsOf(thread)["error"])]).toEqual([403, refusal(refused).message]);

    const [taskId] = idsOf(await api.get("/api-tasks?limit=1"));
    expect((await api.delete(`/api-tasks?id=${taskId}`)).status).toBe(204);
    expect((await api.post("/api-tasks", { title: "One more" })).status).toBe(201);
    const elsewhere = await addWorkspace(database.url);
    expect((await apiOf(service, elsewhere.key).post("/api-tasks", { title: "Mine" })).status).toBe(201);
  },
);

verifies("limits.quota.stored-bytes", "files and documents share the bytes of the plan", async () => {
  const workspace = await addWorkspace(database.url);
  const first = await uploadFile(workspace, TWO_THIRDS_MIB);
  expect(first.status).toBe(201);
  expect(await usedBy(workspace)).toMatchObject({ stored_bytes: { used: TWO_THIRDS_MIB, limit: 1_048_576 } });
  expect(refusal(await uploadFile(workspace, TWO_THIRDS_MIB))).toMatchObject(TOO_MANY);
  const desk = consoleOf(service, workspace.key);
  const base = await createBase(desk);
  const document = { name: "a.txt", type: "text/plain", content: "x".repeat(TWO_THIRDS_MIB) };
  const form = () => formOf(document, { knowledge_base_id: base });
  const refused = await upload({ url: service.url, key: workspace.key }, form());
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "quota_exceeded" } } });
  const removed = await send("DELETE", `${service.url}/files/${String(fieldsOf(first)["id"])}`, {
    headers: { "x-api-key": workspace.key },
  });
  expect(removed.status).toBe(204);
  expect((await upload({ url: service.url, key: workspace.key }, form())).status).toBe(201);
  expect(await usedBy(workspace)).toMatchObject({ stored_bytes: { used: TWO_THIRDS_MIB } });
});

verifies("limits.quota.schedules", "one schedule more than the plan allows is rejected", async () => {
  const workspace = await addWorkspace(database.url);
  const desk = consoleOf(service, workspace.key);
  const { id } = await createAgent(apiOf(service, workspace.key));
  const body = { name: "S", cron: "0 0 1 1 *", assigned_agent_id: id, title: "T", description: QUICK };
  const answers = await Promise.all(Array.from({ length: 5 }, () => desk.post("/schedules", body)));
  expect(statusesOf(answers)).toEqual([201, 201, 403, 403, 403]);
  expect(await usedBy(workspace)).toMatchObject({ schedules: { used: 2, limit: 2 } });
});

verifies(
  "limits.quota.schedules",
  "a schedule without room for its task continues, and logs why",
  async () => {
    const workspace = await addWorkspace(database.url);
    const desk = consoleOf(service, workspace.key);
    const { id: agentId } = await createAgent(apiOf(service, workspace.key));
    const body = { name: "S", cron: "* * * * * *", assigned_agent_id: agentId, title: "T", description: QUICK };
    await fill(workspace, RECORDS - 2);
    const id = String(fieldsOf(await desk.post("/schedules", body))["id"]);
    const skipped = async () =>
      listOf(await desk.get(`/schedules/${id}/fires`)).filter(({ outcome }) => outcome === "quota");
    const fires = await eventually("two times are logged", async () => {
      const rows = await skipped();
      return rows.length > 1 && rows;
    });
    expect(fires[0]).toMatchObject({ outcome: "quota", ticks: 1, task_id: null });
    expect(await usedBy(workspace)).toMatchObject({ records: { used: RECORDS } });
    expect((await desk.delete(`/schedules/${id}`)).status).toBe(204);
  },
  { tags: "slow" },
);

verifies("limits.quota.runs-finish", "a run's files are stored although the quota is used up", async () => {
  const workspace = await addWorkspace(database.url);
  const api = apiOf(service, workspace.key);
  const output_template = { type: "Markdown", body: "```csv report.csv\n{{task_result}}\n```" };
  const { id } = await createAgent(api, { output_template });
  await fill(workspace, RECORDS - 1);
  const task = await createTask(api, { assigned_agent_id: id, description: QUICK });
  await taskIn(api, task.id, "completed");
  expect(
    listOf(await send("GET", `${service.url}/files?task_id=${task.id}`, { headers: { "x-api-key": workspace.key } })),
  ).toMatchObject([{ name: "report.csv", direction: "output" }]);
  expect(await usedBy(workspace)).toMatchObject({ records: { used: RECORDS + 1 } });
});

verifies(
  "limits.quota.exact",
  "all concurrent writes and deletions of two processes are counted",
  async () => {
    const workspace = await addWorkspace(database.url);
    await sql(database.url, "update workspaces set plan = 'pro' where id = $1", [workspace.workspaceId]);
    const apis = [service, other].map((process) => apiOf(process, workspace.key));
    const made = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => createTask(apis[n % 2] ?? apiOf(service, workspace.key))),
    );
    const gone = made.filter((_, n) => n % 3 === 0);
    await Promise.all(gone.map(async ({ id }, n) => apis[n % 2]?.delete(`/api-tasks?id=${id}`)));
    const [count] = await sql<{ tasks: number }>(
      database.url,
      "select count(*)::integer as tasks from tasks where workspace_id = $1",
      [workspace.workspaceId],
    );
    expect(count).toEqual({ tasks: 40 });
    expect(await usedBy(workspace)).toMatchObject({ records: { used: 40 } });
  },
  { tags: "slow" },
);

verifies("limits.quota.apart", "a transaction that stores a record delays no other of its workspace", async () => {
  const workspace = await addWorkspace(database.url);
  const locker = new Client({ connectionString: database.url });
  await locker.connect();
  try {
    await locker.query("begin");
    await locker.query(STORE_TASK, [workspace.workspaceId]);
    await createTask(apiOf(service, workspace.key));
    await createTask(apiOf(other, workspace.key));
    expect(await usedBy(workspace)).toMatchObject({ records: { used: 2 } });
    await locker.query("commit");
  } finally {
    await locker.end();
  }
  expect(await usedBy(workspace)).toMatchObject({ records: { used: 3 } });
});

verifies("limits.quota.workspaces-per-person", "a person's workspaces are limited, also concurrently", async () => {
  const { key } = await addWorkspace(database.url);
  const desk = consoleOf(service, key);
  const answers = await Promise.all([1, 2, 3].map((n) => desk.post("/workspaces", { name: `W ${n}` })));
  expect(statusesOf(answers)).toEqual([201, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused && refusal(refused)).toMatchObject({ code: "quota_exceeded" });
});

verifies("limits.quota.shown", "muster limits shows what is used of each quota", async () => {
  const workspace = await addWorkspace(database.url);
  await createTask(apiOf(service, workspace.key));
  const env = { MUSTER_URL: service.url, MUSTER_API_KEY: workspace.key };
  const shown = await runMuster(["limits"], { env });
  expect(shown.stdout).toMatch(/records\s+1\s+12/);
  expect(shown.stdout).toMatch(/files and documents\s+0 bytes\s+1 MiB/);
});

test("a workspace is deleted with its counters", async () => {
  const workspace = await addWorkspace(database.url);
  const api = apiOf(service, workspace.key);
  await createAgent(api);
  await createTask(api);
  const path = `/workspace?confirm=${encodeURIComponent("Another workspace")}`;
  expect((await consoleOf(service, workspace.key).delete(path)).status).toBe(204);
  const left = () => sql(database.url, "select from stored_totals where workspace_id = $1", [workspace.workspaceId]);
  await eventually("what was counted is deleted", async () => (await left()).length === 0);
});
