import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskInState, taskIn } from "../../support/work.ts";
import { addMember, openWorkspace, sql } from "../../support/workspace.ts";

const ASKING = '[[tool:request_input {"title":"Which one?"}]]';
const ENDED = `
  insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select gen_random_uuid(), 1, $1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $4, $5, $6 from generate_series(1, $7)`;
const FAILING_ROUTE = `
  insert into output_routes (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row,
    last_failure_at)
  values (gen_random_uuid(), $1, $2, 'http', '{task.completed}', true, '{"url":"https://localhost/"}', 'localhost', '{5}',
    $3, now())`;

const sums = { completed: z.int(), failed: z.int(), cancelled: z.int(), cost_usd: z.number(), tokens: z.int() };
const overview = z.looseObject({
  now: z.looseObject({ processes: z.int() }),
  buckets: z.array(z.looseObject({ start: z.string(), ...sums })),
  total: z.looseObject(sums),
});

let service: SharedService;

beforeAll(async () => {
  ({ service } = await useScriptedService());
});

async function read(console: Api, query = "") {
  const answer = await console.get(`/overview${query}`);
  expect(answer.status, answer.text).toBe(200);
  return overview.parse(answer.body);
}

verifies("overview.now", "the overview returns the workspace's status", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const nothing = { pending: 0, dispatched: 0, running: 0, waiting_for_input: 0 };
  const empty = { open: nothing, oldest_queued_at: null, questions: [], routes: [], fires: [] };
  expect((await read(console)).now).toMatchObject(empty);

  const { id: agentId } = await createAgent(api, { tools: ["request_input", "wait"] });
  const { id: endless } = await createTask(api, { assigned_agent_id: agentId, description: ENDLESS });
  const { id: asking } = await createTask(api, { assigned_agent_id: agentId, title: "Ask", description: ASKING });
  await createTask(api, { title: "Later" });
  await taskIn(api, endless, "running");
  await taskIn(api, asking, "waiting_for_input");
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  const { id: ofTeam } = await startRun(api, team.id, ENDLESS);
  await runIn(api, ofTeam, "running");
  await sql(service.databaseUrl, FAILING_ROUTE, [workspaceId, "Broken", 21]);
  await sql(service.databaseUrl, FAILING_ROUTE, [workspaceId, "Healthy", 0]);
  const made = { name: "Daily", cron: "0 9 * * *", assigned_agent_id: agentId, title: "Report", description: QUICK };
  expect((await console.post("/schedules", made)).status).toBe(201);

  const { now } = await read(console);
  expect(now).toMatchObject({
    open: { pending: 1, dispatched: 0, running: 2, waiting_for_input: 1 },
    questions: [{ run_id: asking, title: "Ask" }],
    routes: [{ name: "Broken", failures_in_row: 21, health: "unhealthy" }],
    fires: [{ name: "Daily" }],
  });
  expect(now.processes).toBeGreaterThanOrEqual(1);
  await stopTask(api, endless);
  await api.patch(`/api-runs?id=${ofTeam}`, { status: "cancelled" });
});

verifies("overview.ended", "the overview returns ended runs by hour, with durations and costs", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api, { name: "Busy" });
  const { id: otherId } = await createAgent(api, { name: "Other" });
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  await taskInState(api, { agentId, status: "failed", description: FAILING });
  await taskInState(api, { agentId: otherId, status: "completed", description: QUICK });

  const found = await read(console);
  expect(found).toMatchObject({
    bucket: "hour",
    total: { completed: 2, failed: 1, cancelled: 0, cost_usd: 0 },
    error_codes: [{ code: "MODEL_ERROR", runs: 1 }],
    agents: [
      { id: agentId, name: "Busy", runs: 2, failed: 1, cost_usd: 0 },
      { id: otherId, name: "Other", runs: 1, failed: 0 },
    ],
  });
  expect(found.total["p50_ms"]).toBeGreaterThan(0);
  expect(found.total.tokens).toBeGreaterThan(0);
  expect(found.buckets).toHaveLength(24);
  // All of it may have ended just before the hour did.
  expect(found.buckets.slice(-2).reduce((sum, { completed }) => sum + completed, 0)).toBe(2);
});

verifies("overview.ended", "days are whole days in UTC, with their percentiles", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const ended = (at: string, status: string, code: string, bucket: number, runs: number) =>
    sql(service.databaseUrl, ENDED, [workspaceId, agentId, at, status, code, bucket, runs]);
  await ended("2026-03-01T23:10:00Z", "completed", "", 40, 19);
  await ended("2026-03-02T00:10:00Z", "completed", "", 40, 19);
  await ended("2026-03-02T23:10:00Z", "failed", "STEP_LIMIT", 52, 1);
  await ended("2026-03-02T23:20:00Z", "failed", "MODEL_ERROR", 52, 1);
  await ended("2026-03-03T00:00:00Z", "cancelled", "", -1, 1);

  const found = await read(console, "?bucket=day&from=2026-03-02T05:00:00Z&to=2026-03-02T06:00:00Z");
  expect(found).toMatchObject({
    from: "2026-03-02T00:00:00.000Z",
    to: "2026-03-03T00:00:00.000Z",
    buckets: [
      { start: "2026-03-02T00:00:00.000Z", completed: 19, failed: 2, cancelled: 0, p50_ms: 1117, p95_ms: 8933 },
    ],
    error_codes: [
      { code: "MODEL_ERROR", runs: 1 },
      { code: "STEP_LIMIT", runs: 1 },
    ],
  });
  const days = await read(console, "?bucket=day&from=2026-03-01T00:00:00Z&to=2026-03-04T00:00:00Z");
  expect(days.buckets.map(({ completed, failed, cancelled }) => [completed, failed, cancelled])).toEqual([
    [19, 0, 0],
    [19, 2, 0],
    [0, 0, 1],
  ]);
});

verifies("overview.refused", "a time that cannot be divided is rejected with the parameter", async () => {
  const { console } = await openWorkspace(service);
  for (const [query, path] of [
    ["bucket=week", "bucket"],
    ["from=yesterday", "from"],
    ["from=2999-01-01T00:00:00Z", "from"],
    ["from=2020-01-01T00:00:00Z", "from"],
    ["to=2026-02-30T00:00:00Z", "to"],
    ["agent=x", "agent"],
  ] as const) {
    expect([query, refusal(await console.get(`/overview?${query}`))]).toMatchObject([
      query,
      { status: 400, code: "bad_request", paths: [path] },
    ]);
  }
});

verifies("overview.workspace", "viewers may read it, and only that of their own workspace", async () => {
  const { workspaceId, api } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
  const other = await openWorkspace(service);
  expect((await read(consoleOf(service, viewer.key))).total.completed).toBe(1);
  expect(await read(other.console)).toMatchObject({ total: { completed: 0 }, agents: [] });
});
