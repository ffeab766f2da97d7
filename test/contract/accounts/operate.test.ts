import { hostname, tmpdir } from "node:os";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { setLogLevel } from "#db/queries/access/log-level.ts";
import { newId } from "#lib/ids.ts";
import { createLogLevel } from "../../../src/service/log-level.ts";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { runMuster } from "../../support/muster.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import {
  createAgent,
  createTask,
  ENDLESS,
  FAILING,
  QUICK,
  readTask,
  stopTask,
  taskIn,
  taskInState,
} from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let firstId: string;

beforeAll(async () => {
  service = await startService();
  const [row] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  firstId = row?.id ?? "";
});
afterAll(() => service.stop());

const operator = () => consoleOf(service, service.keys.api);
const muster = (...args: string[]) =>
  runMuster(["ops", ...args], { env: { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY }, cwd: tmpdir() });

/** A workspace with a name of its own, and an agent. */
async function tenant(name: string) {
  const { workspaceId: id, key } = await addWorkspace(service.databaseUrl);
  await sql(service.databaseUrl, "update workspaces set name = $1 where id = $2", [name, id]);
  const api = apiOf(service, key);
  const { id: agentId } = await createAgent(api, { model: "demo", tools: ["wait"] });
  const run = (title: string) => createTask(api, { title, assigned_agent_id: agentId });
  return { id, key, api, agentId, run };
}

verifies("ops.tenants", "the operator sees load, failures, cost and storage of each workspace, by pages", async () => {
  const busy = await tenant("Busy");
  const { id: failed } = await busy.run(FAILING);
  await taskIn(busy.api, failed, "failed");
  const { id: running } = await busy.run(ENDLESS);
  await taskIn(busy.api, running, "running");
  // Ends are counted every 15 seconds, and when figures are read.
  await sql(service.databaseUrl, "select count_run_ends(1000)");
  const [first] = (await pageOf("/instance/tenants?order=load&limit=1")).items;
  expect(first).toMatchObject({ slug: "busy", running: 1, waiting: 0, held_at: null, cost_today_usd: 0 });
  const [worst] = (await pageOf("/instance/tenants?order=failures&limit=1")).items;
  expect(worst).toMatchObject({ slug: "busy", runs_today: 1, failed_today: 1 });
  expect(Object.values(worst?.errors_today ?? {})).toEqual([1]);
  const all: string[] = [];
  for (let path: string | undefined = "/instance/tenants?order=newest&limit=1"; path !== undefined;) {
    const { items, next_cursor: next }: z.output<typeof page> = await pageOf(path);
    all.push(...items.map(({ id }) => id));
    path = next === null ? undefined : `/instance/tenants?order=newest&limit=1&cursor=${next}`;
  }
  expect(new Set(all)).toEqual(new Set([firstId, busy.id]));
  expect(refusal(await operator().get("/instance/tenants?cursor=x")).status).toBe(400);
  const table = await muster("tenants", "--order", "storage");
  expect(table.stdout).toMatch(/^SLUG +PLAN +RUNNING[\s\S]*\nbusy +free +1 +0/);
  await stopTask(busy.api, running);
});

const page = z.strictObject({
  items: z.array(z.looseObject({ id: z.uuid(), errors_today: z.record(z.string(), z.int()) })),
  next_cursor: z.string().nullable(),
});

async function pageOf(path: string) {
  return page.parse((await operator().get(path)).body);
}

function setLevel(body: unknown) {
  return operator().call("PUT", "/instance/log-level", { body });
}

verifies("ops.access", "only owners of the first workspace operate the instance, in that workspace", async () => {
  const other = await tenant("Other");
  const admin = await addMember(service.databaseUrl, firstId, "admin");
  for (const key of [other.key, admin.key]) {
    const console = consoleOf(service, key);
    const answers = [
      await console.get("/instance/tenants"),
      await console.get("/instance/processes"),
      await console.get("/instance/queues"),
      await console.call("PUT", "/instance/log-level", { body: { level: "debug" } }),
      await console.get("/instance/log-level"),
      await console.patch(`/instance/workspaces/${other.id}`, { held: true }),
      await console.delete(`/instance/workspaces/${other.id}?confirm=Other`),
    ];
    expect(answers.map((answer) => refusal(answer).code)).toEqual(answers.map(() => "forbidden"));
  }
  expect((await other.api.get("/api-me")).status).toBe(200);
});

verifies("ops.hold", "a held workspace is read as before, and stores and runs nothing until its release", async () => {
  const held = await tenant("Held");
  const { id: running } = await held.run(ENDLESS);
  await taskIn(held.api, running, "running");
  const path = `/instance/workspaces/${held.id}`;
  const hold = await operator().patch(path, { held: true });
  expect([hold.status, fieldsOf(hold)["held_at"]]).toEqual([200, expect.any(String)]);
  expect(fieldsOf(await operator().patch(path, { held: true }))["held_at"]).toBe(fieldsOf(hold)["held_at"]);

  expect(await jobOf(running)).toEqual([{ state: "queued", held: true }]);
  expect((await held.api.get("/api-agents")).status).toBe(200);
  const refused = refusal(await held.api.post("/api-tasks", { title: "X", assigned_agent_id: held.agentId }));
  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("holds this workspace") });
  expect(refusal(await held.api.post("/api-agents", { name: "X", model: "demo" })).status).toBe(409);
  // A pause and its end do not release it.
  for (const paused of [true, false]) await consoleOf(service, held.key).patch("/workspace", { paused });
  expect(await jobOf(running)).toEqual([{ state: "queued", held: true }]);
  expect(await muster("hold", "held")).toMatchObject({ code: 0, stdout: "held is held.\n" });

  expect(await muster("release", "held")).toMatchObject({ code: 0, stdout: "held is not held.\n" });
  await eventually("the run continues", async () => (await jobOf(running))[0]?.state === "running");
  const { id: next } = await held.run(QUICK);
  await taskIn(held.api, next, "completed");
  await stopTask(held.api, running);
  expect(refusal(await operator().patch(`/instance/workspaces/${firstId}`, { held: true })).status).toBe(409);
  for (const api of [operator(), consoleOf(service, held.key)]) {
    const { items } = fieldsOf(await api.get("/audit?kind=workspace&action=workspace.released"));
    expect(items).toMatchObject([{ subject: { id: held.id, name: "Held" } }]);
  }
});

verifies(
  "ops.hold.questions",
  "no question expires while its workspace or copy is held, and then it has the time that it had left",
  async () => {
    const [held, other] = [await tenant("Asked"), await tenant("Not held")];
    const task = await asked(held);
    const control = await asked(other);
    const path = `/instance/workspaces/${held.id}`;
    await operator().patch(path, { held: true });
    // As if all of this were two days ago; the questions had a day.
    await sql(
      service.databaseUrl,
      `update task_questions set deadline = deadline - interval '2 days', asked_at = asked_at - interval '2 days'
       where subject_id = any($1)`,
      [[task, control]],
    );
    await sql(service.databaseUrl, "update workspaces set held_at = held_at - interval '2 days' where id = $1", [
      held.id,
    ]);
    await taskIn(other.api, control, "failed");
    expect((await readTask(held.api, task)).status).toBe("waiting_for_input");
    await operator().patch(path, { held: false });
    expect(await daysLeft(held, task)).toBe(1);

    const backup = "insert into instance_settings (key, value) select 'held_copy', now() - interval '1 day'";
    await sql(service.databaseUrl, backup);
    const env = { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY };
    const released = await runMuster(["restore", "--release"], { env, cwd: tmpdir() });
    expect(released).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Released/) });
    expect(await daysLeft(held, task)).toBe(2);
    await stopTask(held.api, task);
  },
);

/** A task with an open question, which has a day. */
async function asked({ api }: Awaited<ReturnType<typeof tenant>>): Promise<string> {
  const { id: agentId } = await createAgent(api, { tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Go?", timeoutMs: DAY_MS });
  return (await taskInState(api, { agentId, status: "waiting_for_input", description })).id;
}

const asking = z.looseObject({ interaction: z.looseObject({ expiresAt: z.iso.datetime() }) });

async function daysLeft({ api }: Awaited<ReturnType<typeof tenant>>, id: string): Promise<number> {
  const { interaction } = asking.parse((await api.get(`/api-tasks?id=${id}`)).body);
  return Math.round((Date.parse(interaction.expiresAt) - Date.now()) / DAY_MS);
}

function jobOf(runId: string) {
  const text = "select state, run_at is not distinct from 'infinity' as held from jobs where subject_id = $1";
  return sql<{ state: string; held: boolean }>(service.databaseUrl, text, [runId]);
}

/** The key is gone; or, until a process hears of that, its workspace is. */
const ENDED = [401, 404];

verifies("ops.erase", "an erased workspace loses all rows, once, after its name was typed", async () => {
  const gone = await tenant("Gone");
  const { id: running } = await gone.run(ENDLESS);
  await taskIn(gone.api, running, "running");
  const path = `/instance/workspaces/${gone.id}`;
  expect(refusal(await operator().delete(`${path}?confirm=gone`)).status).toBe(400);
  expect(refusal(await operator().delete(path)).status).toBe(400);
  const answers = await Promise.all([1, 2].map(() => operator().delete(`${path}?confirm=Gone`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404]);
  expect(ENDED).toContain((await gone.api.get("/api-me")).status);
  await eventually("all rows are gone", async () => {
    const left = await sql(
      service.databaseUrl,
      "select from workspaces where id = $1 union all select from runs where workspace_id = $1 union all select from agents where workspace_id = $1",
      [gone.id],
    );
    return left.length === 0;
  });
  const { items } = fieldsOf(await operator().get("/audit?action=workspace.erased"));
  expect(items).toMatchObject([{ subject: { id: gone.id, name: null } }]);
  expect(refusal(await operator().delete(`/instance/workspaces/${firstId}?confirm=x`)).status).toBe(400);
  const second = await tenant("Second");
  const wrong = await muster("erase", second.id, "--confirm", "Wrong");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('it is "Second"') });
  expect(await muster("erase", second.id)).toMatchObject({ code: 2 });
  expect(await muster("erase", second.id, "--confirm", "Second")).toMatchObject({ code: 0 });
  expect(ENDED).toContain((await second.api.get("/api-me")).status);
});

verifies(
  "ops.processes",
  "processes are listed with version and lease, and queues with what waits and failed",
  async () => {
    const [one] = listOf(await operator().get("/instance/processes"));
    expect(one).toMatchObject({
      is_keeper: true,
      is_quarantine: false,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    const queues = listOf(await operator().get("/instance/queues"));
    expect(queues.map(({ kind }) => kind)).toEqual(["task", "team_run", "ingest", "delivery"]);
    expect(queues[0]).toMatchObject({ waiting: expect.any(Number), oldest_waiting_since: null });
    expect(JSON.parse((await muster("processes", "--json")).stdout)).toMatchObject([{ name: one?.["name"] }]);
    expect((await muster("queues")).stdout).toMatch(/^KIND +WAITING +RUNNING +SUSPENDED/);
  },
);

verifies("ops.log-level", "a log level is set for some time, on all processes or one, and ends by itself", async () => {
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const log = pino({ level: "warn", enabled: false });
  log.level = "warn";
  const level = createLogLevel(db, log);
  onTestFinished(async () => {
    level.close();
    await db.close();
  });
  await setLogLevel(db, { level: "debug", minutes: 5, process: `${hostname()}:1` });
  await level.refresh();
  expect(log.level).toBe("warn");
  await setLogLevel(db, { level: "debug", minutes: 5, process: null });
  await level.refresh();
  expect(log.level).toBe("debug");
  const soon = `update instance_settings set value = jsonb_set(value::jsonb, '{until}',
    to_jsonb(clock_timestamp() + interval '200 ms'))::text where key = 'log_level'`;
  await sql(service.databaseUrl, soon);
  await level.refresh();
  await eventually("the level has ended", () => Promise.resolve(log.level === "warn"));

  const set = await setLevel({ level: "fatal", minutes: 1 });
  const { until } = fieldsOf(set);
  expect(fieldsOf(set)).toMatchObject({ level: "fatal", process: null, until: expect.any(String) });
  expect((await operator().get("/instance/log-level")).body).toEqual({ level: "fatal", process: null, until });
  for (const body of [{ level: "loud" }, { level: "info", minutes: 0 }, {}]) {
    expect(refusal(await setLevel(body)).status).toBe(400);
  }
  const unknown = await muster("log-level", "debug", "--process", newId());
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("No process has the name") });
  expect(await muster("log-level", "debug", "--for", "10 minutes")).toMatchObject({ code: 2 });
  expect((await muster("log-level", "warn", "--for", "1m")).stdout).toMatch(/^All processes: warn until /);
  expect((await muster("log-level")).stdout).toMatch(/^All processes: warn until /);
  await sql(service.databaseUrl, soon.replace("200 ms", "0 ms"));
  const none = { level: null, process: null, until: null };
  expect((await operator().get("/instance/log-level")).body).toEqual(none);
  expect((await muster("log-level")).stdout).toBe("Each process has its LOG_LEVEL.\n");
});
