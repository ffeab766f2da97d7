import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { listWorkspaces } from "#operations/accounts/workspaces.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import { inDeadlock } from "../../support/database/deadlock.ts";
import { eventually } from "../../support/eventually.ts";
import { workStopped } from "../../support/running-on.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readStream } from "../../support/sse-client.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, taskInState } from "../../support/work.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";

const FIELDS = [
  "id",
  "slug",
  "name",
  "plan",
  "role",
  "paused",
  "answer_links",
  "run_links",
  "require_passkeys",
  "log_url",
  "trace_url",
  "retention_tasks_days",
  "created_at",
  "updated_at",
];

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { DEFAULT_PLAN: "team", SIGN_UP: "open" } });
});
afterAll(() => service.stop());

/** Waits until an agent has called a tool in a run. */
async function calledTool(databaseUrl: string, runId: string): Promise<void> {
  const query = `select from task_events where log_id = $1 and event->>'type' = 'TOOL_CALL_START'`;
  await eventually("a tool is called", async () => (await sql(databaseUrl, query, [runId])).length > 0);
}

verifies("accounts.workspaces.several", "the creator of a workspace owns it, on the plan of the instance", async () => {
  const { ownerId, workspaceId } = await addWorkspace(service.databaseUrl);
  const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
  const made = await consoleOf(service, viewer.key).post("/workspaces", { name: " Second " });
  expect(made.status).toBe(201);
  const fields = fieldsOf(made);
  expect(Object.keys(fields)).toEqual(FIELDS);
  expect(fields).toMatchObject({ name: "Second", plan: "team", role: "owner" });
  const key = await addKey(service.databaseUrl, { workspaceId: String(fields["id"]), ownerId: viewer.userId });
  const api = consoleOf(service, key);
  expect((await api.get("/workspace")).body).toMatchObject(fields);
  expect(listOf(await api.get("/members"))).toMatchObject([{ user_id: viewer.userId, role: "owner" }]);
  expect(ownerId).not.toBe(viewer.userId);
});

verifies("accounts.workspaces.several", "a person sees all of them, a key its own only", async () => {
  const { workspaceId } = await addWorkspace(service.databaseUrl);
  const { userId, key } = await addMember(service.databaseUrl, workspaceId, "member");
  const made = fieldsOf(await consoleOf(service, key).post("/workspaces", { name: "Another" }));
  expect(idsOf(await consoleOf(service, key).get("/workspaces"))).toEqual([workspaceId]);
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  try {
    const person = { workspaceId, userId, role: "member", keyId: null, scopes: ["read", "write"] } as const;
    const all = await listWorkspaces({ ...db.inWorkspace(person), db, who: person });
    expect(all.map(({ id, role }) => [id, role])).toEqual([
      [workspaceId, "member"],
      [made["id"], "owner"],
    ]);
  } finally {
    await db.close();
  }
});

verifies("accounts.workspaces.several", "a read-only key creates none; a name is required", async () => {
  const { workspaceId, ownerId, key } = await addWorkspace(service.databaseUrl);
  const reader = await addKey(service.databaseUrl, { workspaceId, ownerId, scopes: ["read"] });
  const refused = await consoleOf(service, reader).post("/workspaces", { name: "No" });
  expect(refusal(refused)).toMatchObject({ status: 403, code: "forbidden" });
  for (const body of [{}, { name: " " }, { name: "x".repeat(101) }]) {
    const answer = await consoleOf(service, key).post("/workspaces", body);
    expect(refusal(answer)).toMatchObject({ status: 400, paths: ["name"] });
  }
  const withPlan = await consoleOf(service, key).post("/workspaces", { name: "X", plan: "enterprise" });
  expect(refusal(withPlan)).toMatchObject({ status: 400, paths: ["plan"] });
});

verifies("accounts.workspaces.rename", "an admin can only rename the workspace", async () => {
  const { workspaceId } = await addWorkspace(service.databaseUrl);
  const { key } = await addMember(service.databaseUrl, workspaceId, "admin");
  const api = consoleOf(service, key);
  const before = fieldsOf(await api.get("/workspace"));
  const answer = await api.patch("/workspace", { ...before, name: "New name", plan: "enterprise" });
  expect(fieldsOf(answer)).toEqual({ ...before, name: "New name", slug: "new-name", updated_at: expect.any(String) });
  expect((await api.get("/workspace")).body).toEqual(answer.body);
  expect((await apiOf(service, key).get("/api-me")).body).toMatchObject({ workspace_name: "New name", plan: "free" });
  expect(refusal(await api.patch("/workspace", { name: "" }))).toMatchObject({ status: 400, paths: ["name"] });
});

verifies("accounts.workspaces.delete", "a deletion needs the owner and the workspace's name", async () => {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const admin = await addMember(service.databaseUrl, workspaceId, "admin");
  const name = "?confirm=Another%20workspace";
  expect(refusal(await consoleOf(service, admin.key).delete(`/workspace${name}`))).toMatchObject({ status: 403 });
  const owner = consoleOf(service, key);
  expect(refusal(await owner.delete("/workspace"))).toMatchObject({ status: 400, paths: ["confirm"] });
  for (const wrong of ["?confirm=", "?confirm=another%20workspace", "?confirm=Another"]) {
    const answer = refusal(await owner.delete(`/workspace${wrong}`));
    expect(answer).toMatchObject({ status: 400, code: "bad_request" });
    expect(answer.message).toContain('"Another workspace"');
  }
  expect((await owner.get("/workspace")).status).toBe(200);
  expect((await owner.delete(`/workspace${name}`)).status).toBe(204);
  expect((await owner.get("/workspace")).status).toBe(401);
});

verifies(
  "accounts.workspaces.delete",
  "a deletion is retried after a rollback by a deadlock",
  async () => {
    const { workspaceId, key } = await addWorkspace(service.databaseUrl);
    const { id } = await createTask(apiOf(service, key));
    // As a client that has locked a task and writes to it.
    const held = ["select from tasks where id = $1 for update", id] as const;
    const wanted = ["select from workspaces where id = $1 for key share", workspaceId] as const;
    const deleted = await inDeadlock(service.databaseUrl, { held, wanted }, () =>
      consoleOf(service, key).delete("/workspace?confirm=Another%20workspace"),
    );
    expect(deleted.status).toBe(204);
  },
  { tags: "slow" },
);

verifies(
  "accounts.workspaces.delete",
  "a deleted workspace's runs stop in every process, its streams end, and only its rows are deleted",
  async () => {
    const second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
    const { workspaceId, ownerId, key } = await addWorkspace(service.databaseUrl);
    const other = await addWorkspace(service.databaseUrl);
    try {
      const api = apiOf(service, key);
      const { id: agentId } = await createAgent(api);
      await taskInState(api, { agentId, status: "completed", description: QUICK });
      const running = await taskInState(api, { agentId, status: "running", description: ENDLESS });
      const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
      const run = await startRun(api, team.id, ENDLESS);
      await calledTool(service.databaseUrl, run.id);
      await createTask(api);
      await consoleOf(service, key).post("/invitations", { email: "a@localhost.localdomain", role: "viewer" });
      const otherApi = apiOf(service, other.key);
      const kept = await createTask(otherApi);
      const agui = await addKey(service.databaseUrl, { workspaceId, ownerId, kind: "ag-ui" });
      const stream = await readStream({ url: second.url, keys: { agui } }, { agentId, taskId: running.id });
      expect((await consoleOf(service, key).delete("/workspace?confirm=Another%20workspace")).status).toBe(204);
      expect(await stream.over).toBe("closed");
      for (const { id } of [running, run]) await workStopped(service.databaseUrl, id);
      for (const on of [service, second]) {
        await eventually("the key is rejected", async () => (await apiOf(on, key).get("/api-me")).status === 401);
      }
      const tables = await sql<{ name: string }>(
        service.databaseUrl,
        `select c.table_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
           -- The operator keeps the log.
           and c.table_name <> 'audit_log'`,
      );
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const left = () => sql(service.databaseUrl, `select from ${name} where workspace_id = $1`, [workspaceId]);
        await eventually(`no row of it is left in ${name}`, async () => (await left()).length === 0);
      }
      expect((await otherApi.get(`/api-tasks?id=${kept.id}`)).status).toBe(200);
    } finally {
      await second.stop();
    }
  },
  { tags: "slow" },
);

verifies(
  ["accounts.workspaces.delete", "console.slug.derived"],
  "while a deleted workspace's rows are removed, another one gets its name",
  async () => {
    const { key } = await addWorkspace(service.databaseUrl);
    const { id: agentId } = await createAgent(apiOf(service, key));
    await consoleOf(service, key).patch("/workspace", { name: "Used twice" });
    const holder = new Client({ connectionString: service.databaseUrl });
    await holder.connect();
    try {
      // Rows that others hold are left to the removal of the workspace's own row, which is the last and waits for them.
      await holder.query("begin");
      await holder.query("select from agents where id = $1 for update", [agentId]);
      expect((await consoleOf(service, key).delete("/workspace?confirm=Used%20twice")).status).toBe(204);
      const waiting = "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
      await eventually("all other rows are removed", async () => (await holder.query(waiting)).rowCount === 1);
      const made = await consoleOf(service, service.keys.api).post("/workspaces", { name: "Used twice" });
      expect(made.status).toBe(201);
      expect(fieldsOf(made)["slug"]).toMatch(/^used-twice-[0-9a-f]{3}$/);
    } finally {
      await holder.end();
    }
  },
);

verifies(
  "accounts.workspaces.first",
  "an instance keeps its first workspace, so no other one's owners become its operators",
  async () => {
    const alone = await startService();
    try {
      const { key } = await addWorkspace(alone.databaseUrl);
      const names = await sql<{ name: string }>(alone.databaseUrl, "select name from workspaces order by created_at");
      const confirm = (index: number) => `/workspace?confirm=${encodeURIComponent(names[index]?.name ?? "")}`;
      const answers = await Promise.all([
        consoleOf(alone, alone.keys.api).delete(confirm(0)),
        consoleOf(alone, key).delete(confirm(1)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([409, 204]);
      const left = () => sql(alone.databaseUrl, "select from workspaces");
      await eventually("its row is deleted", async () => (await left()).length === 1);
    } finally {
      await alone.stop();
    }
  },
  { tags: "slow" },
);
