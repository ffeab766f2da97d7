import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { createReportSums } from "#engine/upkeep/report-sums.ts";
import { newId } from "#lib/ids.ts";
import { countUsageSince } from "../../support/database/backdated-usage.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskInState, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

const COUNTS = `
  select sum(completed)::integer as completed, sum(failed)::integer as failed, sum(cancelled)::integer as cancelled,
    sum(coalesce((error_codes->>'MODEL_ERROR')::integer, 0))::integer as "modelErrors"
  from period_totals where subject_id = $1 group by bucket order by bucket`;
const MANY_ENDS = `
  insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select gen_random_uuid(), 1, $1, $2, date_trunc('hour', now() - n * interval '1 minute', 'UTC'), 'completed', '', n % 40
  from generate_series(1, $3::integer) n`;
const MANY_CALLS = `
  insert into usage_records (id, workspace_id, agent_id, attempt, step, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model, created_at)
  select gen_random_uuid(), $1, $2, 1, 0, 'openai', 'model-' || n % 3, 11, 7, 0.01, 'per-token',
    now() - n * interval '10 minutes'
  from generate_series(1, $3::integer) n`;

let service: TestService;
let db: Database;

beforeAll(async () => {
  service = await startService();
  db = openDatabase({ url: service.databaseUrl, poolSize: 6, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await service.stop();
});

/** What the days add up to, and what the hours do. */
function countsOf(subjectId: string) {
  return sql(service.databaseUrl, COUNTS, [subjectId]);
}

/** Days and hours that add up to these ends. */
function ends(counts: { completed?: number; failed?: number; cancelled?: number; modelErrors?: number }) {
  const sums = { completed: 0, failed: 0, cancelled: 0, modelErrors: 0, ...counts };
  return [sums, sums];
}

/** Lets several processes count at the same time. */
async function countTogether(): Promise<void> {
  const counters = [1, 2, 3].map(() => createReportSums({ db, log: pino({ level: "silent" }) }));
  await Promise.all(counters.map((counter) => counter.runOnce()));
  // One of them may have been turned away while another one counted.
  await createReportSums({ db, log: pino({ level: "silent" }) }).runOnce();
}

verifies("overview.counters.attempts", "each attempt counts once, with the status of its end", async () => {
  const { workspaceId, api } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const failed = await taskInState(api, { agentId, status: "failed", description: FAILING });
  await api.patch(`/api-tasks?id=${failed.id}`, { status: "dispatched" });
  await taskIn(api, failed.id, "failed");
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  const { id: endless } = await createTask(api, { assigned_agent_id: agentId, description: ENDLESS });
  await taskIn(api, endless, "running");
  await stopTask(api, endless);
  await stopTask(
    api,
    (await createTask(api, { scheduled_for: "2999-01-01T00:00:00Z", assigned_agent_id: agentId })).id,
  );
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  await runIn(api, (await startRun(api, team.id, QUICK)).id, "completed");
  const { id: ofTeam } = await createTask(api, { assigned_team_id: team.id, description: QUICK });
  await taskIn(api, ofTeam, "completed");

  const check = async () => {
    expect(await countsOf(agentId)).toEqual(ends({ completed: 1, failed: 2, cancelled: 2, modelErrors: 2 }));
    expect(await countsOf(team.id)).toEqual(ends({ completed: 2 }));
    expect(await countsOf(workspaceId)).toEqual(ends({ completed: 3, failed: 2, cancelled: 2, modelErrors: 2 }));
  };
  await check();
  await countTogether();
  await check();
});

verifies("overview.counters.processes", "processes that count at the same time count each end once", async () => {
  const { workspaceId, api } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const count = 9_000;
  await sql(service.databaseUrl, MANY_ENDS, [workspaceId, agentId, count]);
  expect(await countsOf(workspaceId)).toEqual(ends({ completed: count }));
  await countTogether();
  expect(await sql(service.databaseUrl, "select from run_ends where workspace_id = $1", [workspaceId])).toEqual([]);
  expect(await countsOf(workspaceId)).toEqual(ends({ completed: count }));
  expect(await countsOf(agentId)).toEqual(ends({ completed: count }));
});

verifies("overview.counters.deletion", "a deleted run stays counted; counters go with their workspace", async () => {
  const { workspaceId, api } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api);
  const task = await taskInState(api, { agentId, status: "completed", description: QUICK });
  await api.delete(`/api-tasks?id=${task.id}`);
  await api.delete(`/api-agents?id=${agentId}`);
  await countTogether();
  expect(await countsOf(workspaceId)).toEqual(ends({ completed: 1 }));
  expect(await countsOf(agentId)).toEqual(ends({ completed: 1 }));
  await sql(service.databaseUrl, "delete from workspaces where id = $1", [workspaceId]);
  expect(await countsOf(workspaceId)).toEqual([]);
});

verifies(
  ["overview.counters.usage", "overview.counters.processes"],
  "past hours are summed up, and reports stay the same",
  async () => {
    const { workspaceId, console } = await openWorkspace(service);
    await sql(service.databaseUrl, MANY_CALLS, [workspaceId, newId(), 600]);
    await countUsageSince(service.databaseUrl, new Date(Date.now() - 6_000 * 60_000).toISOString());
    const read = async () => (await console.get("/usage?group_by=day,model")).text;
    const before = await read();
    await countTogether();
    expect(await sql(service.databaseUrl, "select from usage_days where workspace_id = $1", [workspaceId])).not.toEqual(
      [],
    );
    const [{ until } = { until: 0 }] = await sql<{ until: number }>(
      service.databaseUrl,
      "select extract(epoch from now() - until)::float8 / 3600 as until from usage_sums",
    );
    expect(until).toBeLessThan(2);
    expect(await read()).toBe(before);
  },
);
