import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { readConfig } from "../../../src/config/config.ts";
import { newId } from "#lib/ids.ts";
import { consoleOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { countUsageSince } from "../../support/database/backdated-usage.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, taskInState } from "../../support/work.ts";
import { addMember, openWorkspace, sql } from "../../support/workspace.ts";

const report = z.looseObject({ rows: z.array(z.record(z.string(), z.unknown())), total: z.unknown() });

const COMPLETE = { interrupted_calls: 0, worst_case_tokens: 0, worst_case_cost_usd: 0 };
/** Each call of the fake provider uses 11 prompt and 7 completion tokens. */
const UNCACHED = { ...COMPLETE, cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
const ONE_CALL = { ...UNCACHED, calls: 1, prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

let provider: ScriptedProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider((_, reply) => {
    reply.say("done");
    reply.finish();
  });
  service = await startService({
    env: {
      OPENAI_API_KEY: "key-of-the-test",
      OPENAI_BASE_URL: provider.baseUrl,
      MODEL_PRICES: '{"gpt-4-turbo":{"prompt":0.1,"completion":0.7}}',
    },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** Puts a record into the workspace's usage, as of a time. */
async function spend(workspaceId: string, at: string, fields: { agent?: string; model?: string; usd?: string } = {}) {
  await sql(
    service.databaseUrl,
    `insert into usage_records (id, workspace_id, agent_id, attempt, step, provider, model, prompt_tokens,
       completion_tokens, estimated_cost_usd, billing_model, created_at)
     values ($1, $2, $3, 1, 0, 'openai', $4, 11, 7, $5, 'per-token', $6)`,
    [newId(), workspaceId, fields.agent ?? newId(), fields.model ?? "gpt-4o", fields.usd ?? "0.1", at],
  );
  await countUsageSince(service.databaseUrl, at);
}

async function rowsBy(api: Api, query: string): Promise<readonly Record<string, unknown>[]> {
  return report.parse((await api.get(`/usage?${query}`)).body).rows;
}

verifies("usage.report.groups", "what agents and teams used is summed up by day, agent, model and team", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api, { name: "Solo", model: "gpt-4o" });
  await taskInState(api, { agentId, status: "completed", description: "Work" });
  await taskInState(api, { agentId, status: "completed", description: "Work" });
  const { id: memberId } = await createAgent(api, { name: "Member", model: "gpt-4o-mini" });
  const team = await createTeam(api, { name: "Crew", config: { steps: [{ agent_id: memberId }] } });
  await runIn(api, (await startRun(api, team.id)).id, "completed");

  const today = new Date().toISOString().slice(0, 10);
  const solo = {
    ...UNCACHED,
    calls: 2,
    prompt_tokens: 22,
    completion_tokens: 14,
    total_tokens: 36,
    cost_usd: 0.000195,
  };
  const crew = { ...ONE_CALL, cost_usd: 0.00000585 };
  const all = {
    ...UNCACHED,
    calls: 3,
    prompt_tokens: 33,
    completion_tokens: 21,
    total_tokens: 54,
    cost_usd: 0.00020085,
  };
  expect((await console.get("/usage")).body).toMatchObject({
    to: today,
    group_by: ["day"],
    rows: [{ day: today, ...all }],
    total: all,
  });
  expect(await rowsBy(console, "group_by=agent")).toEqual([
    { agent_id: agentId, agent_name: "Solo", ...solo },
    { agent_id: memberId, agent_name: "Member", ...crew },
  ]);
  expect(await rowsBy(console, "group_by=model")).toEqual([
    { provider: "openai", model: "gpt-4o", ...solo },
    { provider: "openai", model: "gpt-4o-mini", ...crew },
  ]);
  expect(await rowsBy(console, "group_by=team")).toEqual([
    { team_id: null, team_name: null, ...solo },
    { team_id: team.id, team_name: "Crew", ...crew },
  ]);
  expect(await rowsBy(console, "group_by=day,model")).toEqual([
    { day: today, provider: "openai", model: "gpt-4o", ...solo },
    { day: today, provider: "openai", model: "gpt-4o-mini", ...crew },
  ]);

  await api.delete(`/api-agents?id=${agentId}`);
  expect(await rowsBy(console, "group_by=agent")).toContainEqual({ agent_id: agentId, agent_name: null, ...solo });
});

verifies("usage.report.days", "days are whole days in UTC, both ends included", async () => {
  const { workspaceId, console } = await openWorkspace(service);
  for (const at of [
    "2026-03-01T23:59:59.999Z",
    "2026-03-02T00:00:00Z",
    "2026-03-03T23:59:59.9Z",
    "2026-03-04T00:00:00Z",
  ]) {
    await spend(workspaceId, at);
  }
  const rows = await rowsBy(console, "from=2026-03-02&to=2026-03-03");
  expect(rows).toEqual([
    { day: "2026-03-02", ...ONE_CALL, cost_usd: 0.1 },
    { day: "2026-03-03", ...ONE_CALL, cost_usd: 0.1 },
  ]);
  expect((await console.get("/usage?to=2026-03-30")).body).toMatchObject({ from: "2026-03-01", to: "2026-03-30" });
});

verifies("usage.report.exact", "sums of money are exact decimals", async () => {
  const { workspaceId, console } = await openWorkspace(service);
  for (const usd of ["0.1", "0.2", "0.00000001"]) await spend(workspaceId, "2026-03-01T12:00:00Z", { usd });
  const answer = await console.get("/usage?from=2026-03-01&to=2026-03-01");
  expect(report.parse(answer.body).total).toMatchObject({ cost_usd: 0.30000001 });
  expect(answer.text).toContain('"cost_usd":0.30000001,');
});

verifies("usage.report.csv", "the same comes as CSV, by the Accept header or by format=csv", async () => {
  const { workspaceId, api, console } = await openWorkspace(service);
  const { id: agent } = await createAgent(api, { name: 'The "best", really' });
  await spend(workspaceId, "2026-03-01T12:00:00Z", { agent, usd: "0.00000015" });
  const path = "/usage?from=2026-03-01&to=2026-03-01&group_by=agent";
  const text =
    "agent_id,agent_name,calls,prompt_tokens,completion_tokens,total_tokens,cached_tokens,cache_write_tokens," +
    "reasoning_tokens,cost_usd,interrupted_calls,worst_case_tokens,worst_case_cost_usd\r\n" +
    `${agent},"The ""best"", really",1,11,7,18,0,0,0,0.00000015,0,0,0.00000000\r\n`;
  const byFormat = await console.get(`${path}&format=csv`);
  expect([byFormat.status, byFormat.headers.get("content-type"), byFormat.text]).toEqual([
    200,
    "text/csv; charset=utf-8",
    text,
  ]);
  expect((await console.get(path, { accept: "text/csv" })).text).toBe(text);
  expect(report.parse((await console.get(`${path}&format=json`, { accept: "text/csv" })).body).rows).toHaveLength(1);
});

verifies("usage.report.refused", "an invalid query is rejected with the field", async () => {
  const { console } = await openWorkspace(service);
  for (const [query, path] of [
    ["group_by=month", "group_by.0"],
    ["group_by=day,day", "group_by"],
    ["from=2026-02-30", "from"],
    ["from=0000-01-01", "from"],
    ["from=2026-03-02&to=2026-03-01", "from"],
    ["to=yesterday", "to"],
    ["format=xml", "format"],
    ["agent=x", "agent"],
  ] as const) {
    expect([query, refusal(await console.get(`/usage?${query}`))]).toMatchObject([
      query,
      { status: 400, code: "bad_request", paths: [path] },
    ]);
  }
  expect((await console.get("/usage?to=9999-12-31")).status).toBe(200);
});

verifies("usage.report.workspace", "viewers may read it, and only that of their own workspace", async () => {
  const { workspaceId } = await openWorkspace(service);
  await spend(workspaceId, "2026-03-01T12:00:00Z");
  const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
  const other = await openWorkspace(service);
  const query = "from=2026-03-01&to=2026-03-01";
  expect(await rowsBy(consoleOf(service, viewer.key), query)).toHaveLength(1);
  expect(await rowsBy(other.console, query)).toEqual([]);
});

verifies("usage.prices.setting", "a price of the setting overrides the catalogue's", async () => {
  const { api, console } = await openWorkspace(service);
  const { id: agentId } = await createAgent(api, { model: "gpt-4-turbo" });
  const task = await taskInState(api, { agentId, status: "completed", description: "Work" });
  // 11 at $0.10 and 7 at $0.70 per million.
  expect(task.usage["cost_usd"]).toBe(0.000006);
  expect(report.parse((await console.get("/usage")).body).total).toMatchObject({ cost_usd: 0.000006 });
});

verifies("usage.prices.checked", "wrong prices are rejected with the entry that is wrong", () => {
  for (const [prices, fault] of [
    ["gpt-4o=3", "MODEL_PRICES is not JSON"],
    ['{"gpt-4o":{"prompt":-1,"completion":2}}', "MODEL_PRICES.gpt-4o.prompt must be at least 0"],
    ['{"gpt-4o":{"prompt":1}}', "MODEL_PRICES.gpt-4o.completion is required"],
    ['{"gpt-4o":{"prompt":1,"completion":1,"cached":-1}}', "MODEL_PRICES.gpt-4o.cached must be at least 0"],
    ['{"gpt-4o":{"prompt":1,"completion":1,"batch":1}}', "MODEL_PRICES.gpt-4o.batch: unknown field"],
  ] as const) {
    expect(() => readConfig({ MODEL_PRICES: prices })).toThrow(fault);
  }
});

verifies("usage.prices.checked", "a service with invalid prices does not start and reports the reason", async () => {
  const { databaseUrl, keys } = service;
  const started = startService({ databaseUrl, keys, env: { MODEL_PRICES: "{" } });
  await expect(started).rejects.toThrow("MODEL_PRICES is not JSON");
});
