import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";

/** A time that no test lives to see. */
const YEARLY = "0 0 1 1 *";
const health = z.array(z.strictObject({ target_id: z.string(), recent: z.array(z.string()) }));
const times = z.strictObject({ next_times: z.array(z.iso.datetime()) });

let one: TestService;
let two: TestService;
let receiver: Receiver;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const { url: databaseUrl } = await createDatabase();
  const env = { ALLOW_PRIVATE_URLS: "true" };
  one = await startService({ databaseUrl, env });
  two = await startService({ databaseUrl, env });
  api = apiOf(one, one.keys.api);
  desk = consoleOf(one, one.keys.api);
  agentId = (await createAgent(api, { name: "Worker" })).id;
});
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await receiver.close();
});

async function schedule(fields: object = {}): Promise<string> {
  const body = { name: "S", cron: YEARLY, assigned_agent_id: agentId, title: "Tick", description: QUICK, ...fields };
  return String(fieldsOf(await desk.post("/schedules", body))["id"]);
}

verifies("connect.deliveries.health", "the last deliveries of each route show its health", async () => {
  const broken = await createRoute(desk, `${receiver.url}/broken`, { retry_delays: [] });
  const unused = await createRoute(desk, `${receiver.url}/unused`, { is_active: false });
  await desk.post(`/routes/${broken.id}/test`, {});
  await deliveriesOver(desk, broken.id);
  receiver.answerWith("/broken", 500);
  await desk.post(`/routes/${broken.id}/test`, {});
  await deliveriesOver(desk, broken.id, 2);
  const found = health.parse((await desk.get("/deliveries/health")).body);
  const of = (id: string) => found.find(({ target_id: target }) => target === id)?.recent;
  expect([of(broken.id), of(unused.id)]).toEqual([["failed", "success"], []]);
  expect((await desk.delete(`/routes/${broken.id}`)).status).toBe(204);
});

verifies("connect.deliveries.filters", "deliveries are filtered by team run and start time", async () => {
  const route = await createRoute(desk, `${receiver.url}/runs`);
  const { id: teamId } = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  const run = await startRun(api, teamId, QUICK);
  await runIn(api, run.id, "completed");
  const [delivery] = await deliveriesOver(desk, route.id);
  expect(idsOf(await desk.get(`/deliveries?run_id=${run.id}`))).toEqual([delivery?.id]);
  expect(idsOf(await desk.get(`/deliveries?run_id=${newId()}`))).toEqual([]);
  const later = new Date(Date.now() + 60_000).toISOString();
  expect(idsOf(await desk.get(`/deliveries?route_id=${route.id}&since=${later}`))).toEqual([]);
  expect(idsOf(await desk.get(`/deliveries?route_id=${route.id}&since=2026-01-01T00:00:00Z`))).toEqual([delivery?.id]);
  expect(refusal(await desk.get("/deliveries?since=yesterday"))).toMatchObject({ status: 400, paths: ["since"] });
  await desk.delete(`/routes/${route.id}`);
});

verifies("connect.hooks.pause", "a paused subscription gets nothing until it is resumed", async () => {
  const body = { target_url: `${receiver.url}/hook`, event: "task_failed" };
  const hook = fieldsOf(await desk.post("/hooks", body));
  const id = String(hook["id"]);
  const failing = async () => {
    const task = await createTask(api, { title: "F", description: FAILING, assigned_agent_id: agentId });
    await taskIn(api, task.id, "failed");
  };
  expect((await desk.patch(`/hooks/${id}`, { is_active: false })).body).toMatchObject({ id, is_active: false });
  expect(listOf(await desk.get("/hooks"))).toContainEqual(expect.objectContaining({ id, is_active: false }));
  expect(idsOf(await api.get("/api-hooks?limit=200"))).not.toContain(id);
  await failing();
  const record = fieldsOf(await desk.get(`/hooks/${id}`));
  expect((await desk.patch(`/hooks/${id}`, { ...record, is_active: true })).body).toEqual({
    ...record,
    is_active: true,
  });
  await failing();
  expect((await deliveriesOver(desk, id)).length).toBe(1);
  expect((await desk.patch(`/hooks/${newId()}`, { is_active: true })).status).toBe(404);
  expect(refusal(await desk.patch(`/hooks/${id}`, { event: "x" })).status).toBe(400);
});

verifies(
  "connect.schedules.preview",
  "times are previewed before a schedule exists, across clock changes",
  async () => {
    const quarters = { cron: "0 9 1 */3 *", time_zone: "Europe/Berlin" };
    const answer = await desk.post("/schedules/preview", quarters);
    const { next_times: told } = times.parse(answer.body);
    expect([answer.status, told.length]).toEqual([200, 5]);
    const local = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" });
    expect(new Set(told.map((time) => local.format(new Date(time))))).toEqual(new Set(["09:00"]));
    expect(new Set(told.map((time) => time.slice(11, 16)))).toEqual(new Set(["07:00", "08:00"]));
    const bad = [
      [{ cron: "x" }, "cron"],
      [{ cron: "0 0 30 2 *" }, "cron"],
      [{ cron: YEARLY, time_zone: "Mars/Base" }, "time_zone"],
    ] as const;
    for (const [body, path] of bad) {
      expect(refusal(await desk.post("/schedules/preview", body))).toMatchObject({ status: 400, paths: [path] });
    }
  },
);

verifies("connect.schedules.run", "run now creates and logs a task, also of a paused schedule", async () => {
  const id = await schedule({ is_active: false });
  const made = fieldsOf(await desk.post(`/schedules/${id}/run`, undefined));
  expect(made).toMatchObject({ schedule_id: id, outcome: "manual", ticks: 1, late_ms: expect.any(Number) });
  const task = await taskIn(api, String(made["task_id"]), "completed");
  expect(task).toMatchObject({ title: "Tick", assigned_agent_id: agentId });
  expect(listOf(await desk.get(`/schedules/${id}/fires`))).toEqual([made]);
  expect((await desk.get(`/schedules/${id}`)).body).toMatchObject({ next_times: [], last_task_id: task.id });
  expect((await desk.post(`/schedules/${newId()}/run`, undefined)).status).toBe(404);
});

verifies("connect.schedules.run-once", "two concurrent requests to two processes create one task", async () => {
  const id = await schedule();
  const { next_times: before } = z.looseObject(times.shape).parse((await desk.get(`/schedules/${id}`)).body);
  const other = consoleOf(two, one.keys.api);
  const headers = { "idempotency-key": newId() };
  const answers = await Promise.all(
    [desk, other, desk, other].map((each) => each.post(`/schedules/${id}/run`, {}, headers)),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(listOf(await desk.get(`/schedules/${id}/fires`)).length).toBe(1);
  expect((await desk.get(`/schedules/${id}`)).body).toMatchObject({ next_times: before });
});

verifies("connect.schedules.run-overlap", "tasks that must not overlap do not, also with run now", async () => {
  const id = await schedule({ overlap: "skip", description: ENDLESS });
  const first = fieldsOf(await desk.post(`/schedules/${id}/run`, {}));
  expect(refusal(await desk.post(`/schedules/${id}/run`, {}))).toMatchObject({ status: 409, code: "conflict" });
  await stopTask(api, String(first["task_id"]));
  await taskIn(api, String(first["task_id"]), "cancelled");
  const second = fieldsOf(await desk.post(`/schedules/${id}/run`, {}));
  await stopTask(api, String(second["task_id"]));
});

verifies("connect.planned.filters", "schedules and triggers are found by agent, team and state", async () => {
  const { id: agent } = await createAgent(api, { name: "Filtered" });
  const { id: team } = await createTeam(api);
  const of = { agent: { assigned_agent_id: agent }, team: { assigned_agent_id: null, assigned_team_id: team } };
  const own = await schedule(of.agent);
  const paused = await schedule({ ...of.team, is_active: false });
  const trigger = async (fields: object) =>
    String(fieldsOf(await desk.post("/triggers", { name: "T", title: "T", ...fields }))["id"]);
  const [ownTrigger, pausedTrigger] = [await trigger(of.agent), await trigger({ ...of.team, is_active: false })];
  for (const [path, ofAgent, ofTeam] of [
    ["/schedules", own, paused],
    ["/triggers", ownTrigger, pausedTrigger],
  ] as const) {
    expect(idsOf(await desk.get(`${path}?agent_id=${agent}`))).toEqual([ofAgent]);
    expect(idsOf(await desk.get(`${path}?team_id=${team}`))).toEqual([ofTeam]);
    expect(idsOf(await desk.get(`${path}?team_id=${team}&is_active=true`))).toEqual([]);
    expect(idsOf(await desk.get(`${path}?is_active=false&limit=200`))).toContain(ofTeam);
    expect(idsOf(await desk.get(`${path}?is_active=false&limit=200`))).not.toContain(ofAgent);
    expect(refusal(await desk.get(`${path}?is_active=perhaps`)).paths).toEqual(["is_active"]);
    expect(refusal(await desk.get(`${path}?agent_id=x`)).paths).toEqual(["agent_id"]);
  }
});

verifies("connect.triggers.last-delivery", "a trigger shows its last delivery", async () => {
  const body = { name: "T", title: "T", description: QUICK, assigned_agent_id: agentId };
  const made = fieldsOf(await desk.post("/triggers", body));
  const id = String(made["id"]);
  expect(made).toMatchObject({ last_outcome: null, last_delivery_at: null });
  const send = (value: string) =>
    fetch(String(made["url"]), { method: "POST", body: value, headers: { "Content-Type": "application/json" } });
  await (await send("{}")).text();
  expect((await desk.get(`/triggers/${id}`)).body).toMatchObject({ last_outcome: "accepted" });
  await (await send("{")).text();
  expect((await desk.get(`/triggers/${id}`)).body).toMatchObject({
    last_outcome: "refused",
    last_delivery_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

verifies("connect.remote-agents.test", "a test of a remote agent returns its reply or the error", async () => {
  const remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
  try {
    const { id } = fieldsOf(await desk.post("/remote-agents", { base_url: remote.url }));
    const test = async (message: string) => fieldsOf(await desk.post(`/remote-agents/${String(id)}/test`, { message }));
    expect(await test("say Hello there")).toMatchObject({ status: "success", error: null, output: "Hello there" });
    expect(await test("fail")).toMatchObject({
      status: "failed",
      output: null,
      error: expect.stringMatching("failed"),
    });
    expect(refusal(await desk.post(`/remote-agents/${String(id)}/test`, {})).paths).toEqual(["message"]);
    expect((await desk.post(`/remote-agents/${newId()}/test`, { message: "x" })).status).toBe(404);
  } finally {
    await remote.close();
  }
});

verifies("connect.published", "published agents are listed with their URLs", async () => {
  const { id } = await createAgent(api, { name: "Release Notes", is_mcp_published: true, is_a2a_published: true });
  const found = z
    .strictObject({
      mcp: z.strictObject({
        url: z.string(),
        tools: z.array(z.looseObject({ agent_id: z.string(), tool: z.string() })),
      }),
      a2a: z.strictObject({
        card_url: z.string(),
        agents: z.array(z.looseObject({ agent_id: z.string(), card_url: z.string() })),
      }),
    })
    .parse((await desk.get("/published")).body);
  expect(found.mcp.url).toBe(`${one.url}/mcp`);
  expect(found.mcp.tools).toEqual([{ agent_id: id, name: "Release Notes", description: "", tool: "release_notes" }]);
  expect(found.a2a.agents.map((agent) => agent.agent_id)).toEqual([id]);
  await eventually("its card is there", async () => (await fetch(found.a2a.agents[0]?.card_url ?? "")).ok);
});
