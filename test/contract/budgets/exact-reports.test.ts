import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import type { Database } from "#db/database.ts";
import { createReportSums } from "#engine/upkeep/report-sums.ts";
import type { Api } from "../../support/api.ts";
import { countUsageSince } from "../../support/database/backdated-usage.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS = 6 * 24;
const ADD_ENDS = `
  insert into run_ends (run_id, attempt, workspace_id, agent_id, hour, status, error_code, duration_bucket)
  select gen_random_uuid(), 1, $1, e.agent, e.at, e.status, e.code, e.bucket
  from json_to_recordset($2) e (agent uuid, at timestamptz, status text, code text, bucket smallint)`;
const ADD_CALLS = `
  insert into usage_records (id, workspace_id, agent_id, attempt, step, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model, created_at)
  select gen_random_uuid(), $1, e.agent, 1, 0, 'openai', 'gpt-4o', e.tokens, 1, e.usd, 'per-token', e.at
  from json_to_recordset($2) e (agent uuid, at timestamptz, tokens integer, usd numeric)`;

/** The end of an attempt, and a call that it made. */
interface End {
  readonly agent: string;
  readonly at: string;
  readonly status: "completed" | "failed" | "cancelled";
  readonly code: string;
  readonly bucket: number;
  readonly tokens: number;
  readonly usd: number;
}

const sums = { completed: z.int(), failed: z.int(), cancelled: z.int(), tokens: z.int(), cost_usd: z.number() };
const period = z.looseObject({
  buckets: z.array(z.looseObject({ start: z.string(), ...sums })),
  total: z.looseObject(sums),
  error_codes: z.array(z.object({ code: z.string(), runs: z.int() })),
});
const overview = period.extend({
  agents: z.array(z.looseObject({ id: z.string(), runs: z.int(), failed: z.int(), cost_usd: z.number() })),
});
const figures = z.array(z.looseObject({ agent_id: z.string(), runs: z.int(), ...sums }));
const usage = z.looseObject({
  rows: z.array(z.looseObject({ day: z.string(), agent_id: z.string(), calls: z.int(), total_tokens: z.int() })),
});

let service: TestService;
let db: Database;

beforeAll(async () => {
  service = await startService();
  db = openDatabase({ url: service.databaseUrl, poolSize: 2, onIdleError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await service.stop();
});

/** Ends in each of the last hours, of agents by turns. */
function endsOf(agents: readonly string[], thisHour: number): End[] {
  return Array.from({ length: 3 * HOURS }, (_, n) => {
    const status = n % 7 === 0 ? "failed" : n % 11 === 0 ? "cancelled" : "completed";
    return {
      agent: agents[n % agents.length] ?? "",
      at: new Date(thisHour - Math.floor(n / 3) * HOUR_MS).toISOString(),
      status,
      code: status === "failed" ? `CODE_${n % 2}` : "",
      bucket: (n % 50) - 1,
      tokens: n,
      usd: (n % 13) / 100,
    };
  });
}

async function add(workspaceId: string, ends: readonly End[]): Promise<void> {
  for (const text of [ADD_ENDS, ADD_CALLS]) {
    await sql(service.databaseUrl, text, [workspaceId, JSON.stringify(ends)]);
  }
}

/** What some ends add up to. */
function sumsOf(ends: readonly End[]) {
  const count = (status: End["status"]) => ends.filter((end) => end.status === status).length;
  return {
    completed: count("completed"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    tokens: ends.reduce((sum, { tokens }) => sum + tokens + 1, 0),
    cost_usd: Number(ends.reduce((sum, { usd }) => sum + usd, 0).toFixed(8)),
  };
}

/** Reads a period by hour or day, and expects the sums of the ends in it. */
async function expectPeriod(console: Api, ends: readonly End[], bucket: "hour" | "day", from: number, to: number) {
  const width = bucket === "hour" ? HOUR_MS : DAY_MS;
  const query = `bucket=${bucket}&from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const first = Math.floor(from / width) * width;
  const last = Math.ceil(to / width) * width;
  const inside = ends.filter(({ at }) => Date.parse(at) >= first && Date.parse(at) < last);
  const found = overview.parse((await console.get(`/overview?${query}`)).body);
  expect(found.total).toMatchObject(sumsOf(inside));
  expect(found.buckets).toHaveLength((last - first) / width);
  for (const { start, ...sum } of found.buckets) {
    const begun = Date.parse(start);
    const own = inside.filter(({ at }) => Date.parse(at) >= begun && Date.parse(at) < begun + width);
    expect(sum).toMatchObject(sumsOf(own));
  }
  const codes = Map.groupBy(
    inside.filter(({ status }) => status === "failed"),
    ({ code }) => code,
  );
  expect(Object.fromEntries(found.error_codes.map(({ code, runs }) => [code, runs]))).toEqual(
    Object.fromEntries([...codes].map(([code, { length }]) => [code, length])),
  );
  for (const [id, own] of Map.groupBy(inside, ({ agent }) => agent)) {
    const { failed, cost_usd: cost } = sumsOf(own);
    expect(found.agents.find((agent) => agent.id === id)).toMatchObject({ runs: own.length, failed, cost_usd: cost });
    const alone = period.parse((await console.get(`/agents/${id}/stats?${query}`)).body);
    expect(alone.total).toMatchObject(sumsOf(own));
  }
}

async function expectFigures(console: Api, ends: readonly End[], agents: readonly string[]): Promise<void> {
  const since = Date.now() - 7 * DAY_MS;
  const found = figures.parse((await console.get(`/agents/stats?${agents.map((id) => `id=${id}`).join("&")}`)).body);
  const recent = Map.groupBy(
    ends.filter(({ at }) => Date.parse(at) >= since),
    ({ agent }) => agent,
  );
  for (const each of found) expect(each).toMatchObject(sumsOf(recent.get(each.agent_id) ?? []));
  const { rows } = usage.parse((await console.get(`/usage?group_by=day,agent&from=2000-01-01`)).body);
  const byDay = Map.groupBy(ends, ({ agent, at }) => `${at.slice(0, 10)} ${agent}`);
  expect(new Map(rows.map((row) => [`${row.day} ${row.agent_id}`, [row.calls, row.total_tokens]]))).toEqual(
    new Map([...byDay].map(([key, own]) => [key, [own.length, sumsOf(own).tokens]])),
  );
}

verifies("overview.counters.exact", "reports are the sums of their ends and calls, added up or not", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const agents = await Promise.all([1, 2].map(async (n) => (await createAgent(api, { name: `Agent ${n}` })).id));
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const all = endsOf(agents, thisHour);
  const oldest = thisHour - (HOURS - 1) * HOUR_MS;
  const check = async (ends: readonly End[]) => {
    await expectPeriod(console, ends, "day", oldest, thisHour + 1);
    // From within a day to within another, within one day, and on the borders of days.
    await expectPeriod(console, ends, "hour", oldest + 5 * HOUR_MS, thisHour - 7 * HOUR_MS);
    await expectPeriod(console, ends, "hour", thisHour - 3 * HOUR_MS, thisHour - HOUR_MS);
    const midnight = Math.floor(thisHour / DAY_MS) * DAY_MS;
    await expectPeriod(console, ends, "hour", midnight - 2 * DAY_MS, midnight);
    await expectFigures(console, ends, agents);
  };
  const sum = () => createReportSums({ db, log: pino({ level: "silent" }) }).runOnce();

  // First and later ends come into all hours and days, also into those that are added up.
  const first = all.filter((_, n) => n % 2 === 0);
  await add(workspaceId, first);
  await countUsageSince(service.databaseUrl, new Date(oldest).toISOString());
  await check(first);
  await sum();
  await check(first);
  await add(
    workspaceId,
    all.filter((_, n) => n % 2 === 1),
  );
  await countUsageSince(service.databaseUrl, new Date(oldest).toISOString());
  await check(all);
  await sum();
  await check(all);
});
