import { Client } from "pg";
import pino from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { freePort } from "../../support/free-port.ts";
import { callOf } from "../../support/interactions.ts";
import { setStatus, taskEnd } from "../../support/runs.ts";
import { createSchedule } from "../../support/schedules.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const WARN = pino.levels.values["warn"];
const QUESTION = callOf("request_approval", { title: "Now?", timeoutMs: 1_000 });

let service: TestService;
let api: Api;
let receiver: Receiver;
let agentId: string;
let workspaceId: unknown;
let metricsUrl: string;

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const env = { OPS_PORT: String(port), LOG_LEVEL: "info", ALLOW_PRIVATE_URLS: "true", RUNS_PER_WORKSPACE: "1" };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  receiver = await startReceiver();
  const agent = await createAgent(api, { tools: ["wait", "request_approval"] });
  agentId = agent.id;
  workspaceId = agent["workspace_id"];
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** The value of a metric, by its name and labels as the port shows them; undefined when it is not there. */
async function valueOf(metric: string): Promise<number | undefined> {
  const text = await (await fetch(metricsUrl)).text();
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length));
}

/** Starts a task of the agent; returns its id. */
async function start(description: string): Promise<string> {
  return (await createTask(api, { assigned_agent_id: agentId, description })).id;
}

/** The lines of the log with a message. */
function logged(message: string): readonly unknown[] {
  const lines = service.output().stderr.split("\n");
  return lines.filter((line) => line.includes(`"msg":"${message}`)).map((line): unknown => JSON.parse(line));
}

const runs = (kind: string, status: string, code = "") =>
  `muster_runs_ended_total{kind="${kind}",status="${status}",error_code="${code}"}`;

verifies(
  "operations.metrics.runs",
  "ended runs are counted by kind, status and code, from wherever they end",
  async () => {
    for (const description of [QUICK, FAILING, QUESTION]) {
      await taskEnd(service, await start(description));
    }
    const cancelled = await start(ENDLESS);
    await setStatus(service, cancelled, "cancelled");
    const team = await createTeam(api);
    const { id: ofTeam } = await createTask(api, { title: "T", assigned_team_id: team.id });
    await taskIn(api, ofTeam, "completed");
    await expect.poll(() => valueOf(runs("team_run", "completed"))).toBe(1);
    expect(await valueOf(runs("task", "completed"))).toBe(1);
    expect(await valueOf(runs("task", "cancelled"))).toBe(1);
    expect(await valueOf(runs("task", "failed", "MODEL_ERROR"))).toBe(1);
    expect(await valueOf(runs("task", "failed", "INTERACTION_TIMEOUT"))).toBe(1);
    // Its end stays counted without it.
    await api.delete(`/api-tasks?id=${cancelled}`);
    expect(await valueOf(runs("task", "cancelled"))).toBe(1);
  },
);

verifies(
  "operations.log.failures",
  "a failed run is a warning with its run, workspace, provider and reason",
  async () => {
    const id = await start(FAILING);
    await taskEnd(service, id);
    const unanswered = await start(QUESTION);
    await taskEnd(service, unanswered);
    const of = (run_id: string) => expect.objectContaining({ level: WARN, run_id, workspace_id: workspaceId });
    await expect.poll(() => logged("a run failed")).toEqual(expect.arrayContaining([of(id), of(unanswered)]));
    const found = logged("a run failed");
    expect(found).toContainEqual(
      expect.objectContaining({
        run_id: id,
        attempt: 1,
        provider: "demo",
        error_code: "MODEL_ERROR",
        reason: expect.stringContaining("boom"),
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ run_id: unanswered, error_code: "INTERACTION_TIMEOUT", reason: expect.any(String) }),
    );
    const ofTeam = await createTeam(api, { name: "Failing" });
    const { id: teamTask } = await createTask(api, { title: "T", description: FAILING, assigned_team_id: ofTeam.id });
    await taskIn(api, teamTask, "failed");
    await expect.poll(() => logged("a run failed")).toContainEqual(of(teamTask));
  },
);

verifies("operations.log.workspace", "lines of requests and of jobs have the workspace", async () => {
  const id = await start(QUICK);
  await taskEnd(service, id);
  const created = expect.objectContaining({ path: "/functions/v1/api-tasks", status: 201, workspace_id: workspaceId });
  await expect.poll(() => logged("request")).toContainEqual(created);
  for (const message of ["job started", "job execution ended"]) {
    const line = expect.objectContaining({ subject_id: id, workspace_id: workspaceId });
    await expect.poll(() => logged(message)).toContainEqual(line);
  }
});

verifies(
  ["operations.metrics.deliveries", "operations.log.failures"],
  "attempts of deliveries are counted by type and outcome, and a lost one is a warning",
  async () => {
    receiver.answerWith("/lost", 500);
    const desk = consoleOf(service, service.keys.api);
    const { id: routeId } = await createRoute(desk, `${receiver.url}/lost`, { retry_delays: [1] });
    await createRoute(desk, `${receiver.url}/fine`);
    const id = await start(QUICK);
    const deliveries = (outcome: string) => valueOf(`muster_deliveries_total{type="http",outcome="${outcome}"}`);
    await expect.poll(() => deliveries("lost")).toBe(1);
    await expect.poll(() => deliveries("delivered")).toBe(1);
    expect(await deliveries("retried")).toBe(1);
    const line = { level: WARN, run_id: id, workspace_id: workspaceId, type: "http", event: "task.completed" };
    await expect
      .poll(() => logged("a delivery was lost"))
      .toEqual([expect.objectContaining({ ...line, reason: "HTTP 500" })]);
    await desk.delete(`/routes/${routeId}`);
  },
);

verifies(
  "operations.metrics.queue",
  "the oldest waiting job, late schedules and provider gates are shown",
  async () => {
    const tasks = [];
    for (let n = 0; n < 2; n++) tasks.push(await createTask(api, { assigned_agent_id: agentId, description: ENDLESS }));
    await expect.poll(() => valueOf('muster_oldest_waiting_job_seconds{kind="task"}')).toBeGreaterThan(0);
    for (const { id } of tasks) await stopTask(api, id);
    expect(await valueOf('muster_oldest_waiting_job_seconds{kind="task"}')).toBeUndefined();

    expect(await valueOf("muster_schedule_lateness_seconds")).toBe(0);
    const scheduleId = await createSchedule(consoleOf(service, service.keys.api), { assigned_agent_id: agentId });
    // No schedule can fire while its log accepts no rows.
    const other = await holdTransaction("lock table schedule_fires in share mode");
    try {
      const late = "update schedules set next_times = array[clock_timestamp() - interval '100 s'] where id = $1";
      await sql(service.databaseUrl, late, [scheduleId]);
      await expect.poll(() => valueOf("muster_schedule_lateness_seconds")).toBeGreaterThanOrEqual(100);
    } finally {
      await other.end();
    }

    await sql(
      service.databaseUrl,
      `with gate as (
       insert into model_gates (id, provider, model, closed_until) values ('g', 'openai', 'm', 'infinity') returning id)
     insert into model_gate_waits (job_id, step, gate_id, provider, model, workspace_id, turn, until, ahead, reason)
     select gen_random_uuid(), 's', id, 'openai', 'm', $1, 1, 'infinity', 0, 'closed' from gate`,
      [workspaceId],
    );
    expect(await valueOf('muster_provider_calls_waiting{provider="openai"}')).toBe(1);
    expect(await valueOf('muster_provider_gates_closed{provider="openai"}')).toBe(1);
  },
);

verifies("operations.metrics.questions", "the age of the oldest open question is shown", async () => {
  expect(await valueOf("muster_oldest_question_seconds")).toBe(0);
  const { id } = await createTask(api, {
    assigned_agent_id: agentId,
    description: callOf("request_approval", { title: "Now?" }),
  });
  await expect.poll(() => valueOf("muster_oldest_question_seconds")).toBeGreaterThan(0);
  await stopTask(api, id);
  expect(await valueOf("muster_oldest_question_seconds")).toBe(0);
});

verifies("keys.expiring.shown", "keys that expire soon are counted", async () => {
  expect(await valueOf("muster_keys_expiring")).toBe(0);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const desk = consoleOf(service, service.keys.api);
  expect((await desk.post("/keys", { label: "Ends", kind: "mcp", expires_at })).status).toBe(201);
  await expect.poll(() => valueOf("muster_keys_expiring")).toBe(1);
});

verifies("mcp.account.operator", "accounts at MCP servers that are lost are counted", async () => {
  expect(await valueOf("muster_mcp_accounts_lost")).toBe(0);
  const lost = `
    with server as (
      insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
      values (gen_random_uuid(), $1, 'mail', 'https://localhost/', 1000, '{}') returning *)
    insert into mcp_accounts (id, workspace_id, server_id, name, tokens_ciphertext, status)
    select id, workspace_id, id, name, '', 'lost' from server`;
  await sql(service.databaseUrl, lost, [workspaceId]);
  await expect.poll(() => valueOf("muster_mcp_accounts_lost")).toBe(1);
});

verifies("operations.metrics.database", "what ends a database slowly is shown", async () => {
  const other = await holdTransaction("select 1");
  try {
    await expect.poll(() => valueOf("muster_database_oldest_transaction_seconds")).toBeGreaterThan(0.1);
  } finally {
    await other.end();
  }
  expect(await valueOf("muster_database_xid_age")).toBeGreaterThan(0);
  expect(await valueOf("muster_backup_age_seconds")).toBeUndefined();
  const backup = "insert into instance_settings (key, value) values ('last_backup_at', $1)";
  await sql(service.databaseUrl, backup, [new Date(Date.now() - 90_000).toISOString()]);
  expect(await valueOf("muster_backup_age_seconds")).toBeGreaterThanOrEqual(90);
  expect(await valueOf("muster_database_notify_queue_ratio")).toBeGreaterThanOrEqual(0);
});

verifies("operations.metrics.takeovers", "takeovers, lost leases and rejected writes are counted", async () => {
  const rejected = (await valueOf("muster_writes_rejected_total")) ?? NaN;
  const disowned = await createTask(api, { assigned_agent_id: agentId, description: "[[words:100000]] [[slow:20]]" });
  await taskIn(api, disowned.id, "running");
  await sql(service.databaseUrl, "update jobs set fence = fence + 1 where subject_id = $1", [disowned.id]);
  await expect.poll(() => valueOf("muster_writes_rejected_total")).toBeGreaterThan(rejected);
  await stopTask(api, disowned.id);

  const { id } = await createTask(api, { assigned_agent_id: agentId, description: ENDLESS });
  await taskIn(api, id, "running");
  expect(await valueOf("muster_leases_lost_total")).toBe(0);
  await sql(service.databaseUrl, "delete from executors");
  await expect.poll(() => valueOf("muster_leases_lost_total"), { timeout: 30_000 }).toBe(1);
  const taken = async () => (await valueOf('muster_jobs_taken_over_total{kind="task"}')) ?? 0;
  await expect.poll(taken, { timeout: 30_000 }).toBeGreaterThan(0);
  await stopTask(api, id);
});

/** A connection with an open transaction. */
async function holdTransaction(statement: string): Promise<Client> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query("begin");
  await client.query(statement);
  return client;
}
