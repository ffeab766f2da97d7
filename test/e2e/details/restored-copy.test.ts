import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { openAiAgent, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { createSchedule } from "../../support/schedules.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { ENCRYPTION_KEY, createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const TITLE = "In progress";

const keys = createKeys();
let folder: string;
let provider: ScriptedProvider;
let target: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-copy-"));
  target = await createDatabase();
  provider = await startScriptedProvider(({ task, nth }, reply) => {
    // The original's call never ends.
    if (task === TITLE && nth === 1) return;
    reply.say("done");
    reply.finish();
  });
});
afterAll(async () => {
  await provider.close();
  await target.drop();
  await rm(folder, { recursive: true });
});

verifies(
  "operations.restore.held",
  "a restored copy serves reads only, even when it is migrated, until its release; then it continues",
  async () => {
    const original = await startService({ keys, env: provider.env });
    const agentId = await openAiAgent(original);
    const taskId = await startTask(original, agentId, { title: TITLE });
    await provider.called(TITLE, 0);
    const desk = consoleOf(original, keys.api);
    const trigger = fieldsOf(await desk.post("/triggers", { name: "T", title: "Hook", assigned_agent_id: agentId }));
    await createSchedule(desk, { cron: "* * * * * *", assigned_agent_id: agentId, title: "Tick" });
    const backup = join(folder, "held.backup");
    const env = { MUSTER_DATA: folder, ENCRYPTION_KEY };
    const made = await runMuster(["backup", backup], {
      env: { ...env, DATABASE_URL: original.databaseUrl, MUSTER_DATA: original.folder },
    });
    expect(made.code).toBe(0);
    await original.stop();
    const toTarget = { env: { ...env, DATABASE_URL: target.url } };
    expect((await runMuster(["restore", backup], toTarget)).code).toBe(0);

    // As an upgrade does: a migration that only tells of a routine is missing, and is applied again.
    await sql(target.url, "delete from schema_migrations where name = '0115-held-work.sql'");
    const migrated = await runMuster(["migrate"], toTarget);
    expect([migrated.code, migrated.stdout]).toEqual([0, "Applied 0115-held-work.sql.\n"]);

    const before = await workOf(target.url);
    const callsBefore = provider.calls.length;
    const copy = await startService({ databaseUrl: target.url, keys, env: { ...provider.env, MUSTER_DATA: folder } });
    expect(copy.output().stderr).toContain("a restored copy, which is held");
    const readiness = await fetch(`${copy.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([200, { status: "held" }]);
    expect((await taskNow(copy, taskId)).status).toBe("running");
    const api = apiOf(copy, keys.api);
    const hook = new URL(String(trigger["url"])).pathname;
    for (const answer of [
      await api.post("/api-tasks", { title: "New", assigned_agent_id: agentId }),
      await api.patch(`/api-tasks?id=${taskId}`, { status: "cancelled" }),
      await api.delete(`/api-agents?id=${agentId}`),
    ]) {
      expect([answer.status, answer.text]).toEqual([503, expect.stringContaining("muster restore --release")]);
    }
    for (const [path, method] of [
      [hook, "POST"],
      ["/oauth/google/callback?state=a&code=b", "GET"],
      ["/mcp", "POST"],
      ["/v1/chat/completions", "POST"],
    ] as const) {
      expect((await fetch(copy.url + path, { method })).status).toBe(503);
    }
    // No process of the copy claims jobs: that needs a row here.
    expect(await sql(target.url, "select from executors")).toEqual([]);
    expect(await workOf(target.url)).toEqual(before);
    expect(provider.calls.length).toBe(callsBefore);
    const examined = await runMuster(["doctor"], toTarget);
    expect(examined.stdout).toContain("warning  processes: This restored copy is held: it serves reads only.");

    // Of two at once, one releases it.
    const releases = await Promise.all([1, 2].map(() => runMuster(["restore", "--release"], toTarget)));
    const [released, late] = releases.toSorted((a, b) => Number(a.code) - Number(b.code));
    expect([released?.code, released?.stdout]).toEqual([0, expect.stringMatching(/^Released: /)]);
    expect([late?.code, late?.stderr]).toEqual([1, "This database is not held: nothing was changed.\n"]);
    const task = await taskEnd(copy, taskId);
    expect([task.status, task.result]).toEqual(["completed", "done"]);
    expect(provider.callsOf(TITLE)).toHaveLength(2);
    await eventually("the schedule fires", async () => (await workOf(target.url)).fires > before.fires);
    await eventually("the copy is ready", async () => {
      const answer: unknown = await (await fetch(`${copy.url}/readyz`)).json();
      return JSON.stringify(answer) === JSON.stringify({ status: "ready" });
    });
    await copy.stop();
  },
);

verifies(
  "operations.restore.moves",
  "an embedded database moves to a server of one's own, backed up while its service runs",
  async () => {
    const data = join(folder, "embedded");
    const own = await createDatabase();
    const embedded = { MUSTER_DATA: data, PORT: "0", HOME: folder, MUSTER_INIT_API_KEY: keys.api };
    const serving = startMuster(["serve"], { env: embedded, cwd: folder });
    try {
      const url = /Muster is ready at (\S+)/.exec(await serving.prints(/Muster is ready at \S+/))?.[1] ?? "";
      const agent = await createAgent(apiOf({ url }, keys.api), { name: "Moved" });
      const backup = join(folder, "move.backup");
      const made = await startMuster(["backup", backup], { env: embedded, cwd: folder }).ended;
      expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/^Backed up \d+ rows /)]);
      serving.process.kill("SIGTERM");
      await serving.ended;
      const settings = { MUSTER_DATA: data, DATABASE_URL: own.url };
      expect((await runMuster(["restore", backup], { env: settings })).code).toBe(0);
      expect((await runMuster(["restore", "--release"], { env: settings })).code).toBe(0);
      const key = (await readFile(join(data, "encryption.key"), "utf8")).trim();
      const moved = await startService({ databaseUrl: own.url, keys, env: { MUSTER_DATA: data, ENCRYPTION_KEY: key } });
      const found = await apiOf(moved, keys.api).get(`/api-agents?id=${agent.id}`);
      expect(fieldsOf(found)["name"]).toBe("Moved");
      await moved.stop();
    } finally {
      serving.process.kill("SIGKILL");
      await own.drop();
    }
  },
);

/** How much work there was so far. */
async function workOf(url: string) {
  const [counts] = await sql<{ runs: number; fires: number; deliveries: number; received: number; fences: string }>(
    url,
    `select (select count(*)::integer from runs) as runs, (select count(*)::integer from schedule_fires) as fires,
       (select count(*)::integer from delivery_attempts) as deliveries,
       (select count(*)::integer from trigger_deliveries) as received,
       (select string_agg(id || ':' || fence || state, ',' order by id) from jobs) as fences`,
  );
  if (counts === undefined) throw new Error("A select without from gives a row.");
  return counts;
}
