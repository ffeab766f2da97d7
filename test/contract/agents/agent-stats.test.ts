import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { callOf } from "../../support/interactions.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskInState, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

const HOURS = `
  insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select gen_random_uuid(), 1, $1, $2, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 'completed', '', bucket
  from generate_series(0, 167) n cross join generate_series(20, 59) bucket`;
const SUMS = `
  select count(*)::integer as read, sum(completed)::integer as runs
  from whole_periods(now() - interval '7 days', 'infinity') p
  join period_sums s on s.bucket = p.bucket and s.start >= p.since and s.start < p.before
  where s.subject_id = $1`;
const PENDING = "select count_run_ends(10000), exists (select from run_ends) as pending";
const ROUTE = `
  insert into output_routes (id, workspace_id, name, type, events, is_active, config, host, retry_delays)
  values (gen_random_uuid(), $1, $2, 'http', $3, true, '{"url":"https://localhost/"}', 'localhost', '{5}')`;

const stats = z.array(z.looseObject({ agent_id: z.string(), runs: z.int() }));
const usedBy = z.looseObject({
  items: z.array(
    z.looseObject({
      kind: z.string(),
      name: z.string(),
      detail: z.string().nullable(),
      team_mode: z.string().nullable(),
    }),
  ),
});

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await service.stop();
});

verifies("agent-screens.stats", "an agent's week is returned by day and for several agents together", async () => {
  const { api, console } = await openWorkspace(service);
  const { id } = await createAgent(api, { name: "Busy" });
  const { id: idle } = await createAgent(api, { name: "Idle" });
  await taskInState(api, { agentId: id, status: "completed", description: QUICK });
  await taskInState(api, { agentId: id, status: "completed", description: QUICK });
  await taskInState(api, { agentId: id, status: "failed", description: FAILING });

  const one = await console.get(`/agents/${id}/stats`);
  expect(one.status, one.text).toBe(200);
  expect(one.body).toMatchObject({
    agent_id: id,
    bucket: "day",
    success_share: 2 / 3,
    total: { completed: 2, failed: 1, cancelled: 0, cost_usd: 0 },
    error_codes: [{ code: "MODEL_ERROR", runs: 1 }],
  });
  expect(z.looseObject({ buckets: z.array(z.unknown()) }).parse(one.body).buckets).toHaveLength(7);

  const several = await console.get(`/agents/stats?id=${idle}&id=${id}&id=${idle}`);
  const none = { runs: 0, completed: 0, failed: 0, success_share: null, p50_ms: null, p95_ms: null, cost_usd: 0 };
  expect(several.body).toMatchObject([
    { agent_id: idle, ...none },
    { agent_id: id, runs: 3, completed: 2, failed: 1, success_share: 2 / 3 },
  ]);
  expect(z.array(z.looseObject({ p50_ms: z.int().nullable() })).parse(several.body)[1]?.p50_ms).toBeGreaterThan(0);
});

verifies("agent-screens.stats", "a wrong period, id or number of ids is rejected", async () => {
  const { api, console } = await openWorkspace(service);
  const { id } = await createAgent(api);
  const { id: foreign } = await createAgent((await openWorkspace(service)).api);
  expect(refusal(await console.get(`/agents/${foreign}/stats`))).toMatchObject({ status: 404, code: "not_found" });
  expect((await console.get(`/agents/stats?id=${foreign}`)).body).toEqual([]);
  expect(refusal(await console.get("/agents/stats"))).toMatchObject({ status: 400 });
  expect(refusal(await console.get(`/agents/stats?${`id=${id}&`.repeat(101)}`))).toMatchObject({ status: 400 });
  const early = "from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z";
  expect(refusal(await console.get(`/agents/${id}/stats?${early}`))).toMatchObject({ status: 400 });
});

verifies(
  "agent-screens.stats.waiting",
  "an agent waits when all of its runs in progress wait for a person",
  async () => {
    const { api, console } = await openWorkspace(service);
    const { id } = await createAgent(api, { tools: ["request_approval"] });
    const isWaiting = async () => (await console.get(`/agents/stats?id=${id}`)).body;
    expect(await isWaiting()).toMatchObject([{ is_waiting: false }]);
    const ask = callOf("request_approval", { title: "Go on?", description: "It waits." });
    const { id: asks } = await createTask(api, { assigned_agent_id: id, description: ask });
    await taskIn(api, asks, "waiting_for_input");
    expect(await isWaiting()).toMatchObject([{ is_waiting: true }]);
    const { id: busy } = await createTask(api, { assigned_agent_id: id, description: ENDLESS });
    await taskIn(api, busy, "running");
    expect(await isWaiting()).toMatchObject([{ is_waiting: false }]);
    await stopTask(api, busy);
  },
);

verifies("agent-screens.stats.counters", "a week of 6,720 runs is read from a row for each day", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const { id } = await createAgent(api);
  await sql(service.databaseUrl, HOURS, [workspaceId, id]);
  const isCounted = async () => (await sql<{ pending: boolean }>(service.databaseUrl, PENDING))[0]?.pending === false;
  await eventually("the ends are added up", isCounted);
  const [row] = stats.parse((await console.get(`/agents/stats?id=${id}`)).body);
  expect(row?.runs).toBe(168 * 40);
  const [sums] = await sql<{ read: number; runs: number }>(service.databaseUrl, SUMS, [id]);
  expect(sums?.runs).toBe(168 * 40);
  // A day of which a part is asked for has a row for each of its hours.
  expect(sums?.read).toBeLessThanOrEqual(7 + 23);
});

verifies("agent-screens.used-by", "the references to an agent are listed, with its publications", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const { id } = await createAgent(api, { name: "Busy bee", is_mcp_published: true, is_a2a_published: true });
  await createTeam(api, { name: "Pair", config: { steps: [{ agent_id: id }, { agent_id: id }] } });
  const plan = { assigned_agent_id: id, title: "X", description: QUICK };
  expect((await console.post("/schedules", { ...plan, name: "Daily", cron: "0 9 * * *" })).status).toBe(201);
  expect((await console.post("/triggers", { ...plan, name: "Inbox" })).status).toBe(201);
  const hook = { target_url: "https://localhost/hook", event: "task_failed", agent_id: id };
  expect((await api.post("/api-hooks", hook)).status).toBe(201);
  expect((await console.post("/budgets", { scope: "agent", target_id: id, period: "day", max_usd: 1 })).status).toBe(
    201,
  );
  await sql(service.databaseUrl, ROUTE, [workspaceId, "Archive", ["task.completed"]]);
  await sql(service.databaseUrl, ROUTE, [workspaceId, "Of teams", ["team_run.completed"]]);
  const task = await createTask(api, { assigned_agent_id: id, description: ENDLESS });
  await taskIn(api, task.id, "running");

  const answer = await console.get(`/agents/${id}/used-by`);
  expect(answer.status, answer.text).toBe(200);
  expect(usedBy.parse(answer.body).items.map(({ kind, name, detail }) => [kind, name, detail])).toEqual([
    ["budget", "day", null],
    ["route", "Archive", "http"],
    ["schedule", "Daily", "0 9 * * *"],
    ["team", "Pair", "worker"],
    ["trigger", "Inbox", null],
    ["webhook", "https://localhost/hook", "task_failed"],
  ]);
  const modes = usedBy.parse(answer.body).items.map(({ team_mode: mode }) => mode);
  expect(modes).toEqual([null, null, null, "pipeline", null, null]);
  expect(answer.body).toMatchObject({
    counts: { team: 1, schedule: 1, trigger: 1, webhook: 1, budget: 1, route: 1 },
    open_runs: 1,
    published: { marketplace: false, installs: 0, mcp: "busy_bee", a2a: true },
  });
  await stopTask(api, task.id);
});

verifies("agent-screens.used-by", "the references to a team are listed; each id must be of its kind", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  const plan = { assigned_team_id: team.id, title: "X", description: QUICK, name: "Weekly", cron: "0 9 * * 1" };
  expect((await console.post("/schedules", plan)).status).toBe(201);
  const answer = await console.get(`/teams/${team.id}/used-by`);
  expect(answer.body).toMatchObject({
    items: [{ kind: "schedule", name: "Weekly" }],
    counts: { schedule: 1 },
    open_runs: 0,
  });
  expect(refusal(await console.get(`/teams/${agentId}/used-by`))).toMatchObject({ status: 404 });
  expect(refusal(await console.get(`/agents/${team.id}/used-by`))).toMatchObject({ status: 404 });
});
