import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { YEARLY, createSchedule } from "../../support/schedules.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let service: SharedService;
let api: Api;
let desk: Api;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});

/** Makes a schedule of the agent. */
const schedule = (fields: object = {}) => createSchedule(desk, { assigned_agent_id: agentId, ...fields });

verifies(["schedules.resource", "schedules.next-times"], "schedules are created, read, changed, deleted", async () => {
  const whole = {
    name: "Report",
    cron: "0 9 * * 1-5",
    time_zone: "Europe/Berlin",
    missed: "all",
    overlap: "skip",
    is_active: true,
    assigned_agent_id: agentId,
    title: "Report",
    description: "Write.",
    priority: "high",
    metadata: { a: [1] },
  };
  const created = await desk.post("/schedules", whole);
  const record = fieldsOf(created);
  const { id, workspace_id, created_by, created_at, updated_at, next_times, ...fields } = record;
  const me = fieldsOf(await api.get("/api-me"));
  expect(created.status).toBe(201);
  expect(fields).toEqual({ ...whole, assigned_team_id: null, last_fired_at: null, last_task_id: null });
  expect([workspace_id, created_by]).toEqual([me["workspace_id"], me["id"]]);
  expect([created_at, updated_at]).toEqual([expect.stringMatching(TIME), expect.stringMatching(TIME)]);
  const times = z.array(z.string().regex(TIME)).length(5).parse(next_times);
  const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit", weekday: "short" });
  for (const time of times) expect(hour.format(new Date(time))).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? 09$/);
  expect(times).toEqual(times.toSorted());

  const one = `/schedules/${String(id)}`;
  expect(fieldsOf(await desk.get(one))).toEqual(record);
  const changed = fieldsOf(await desk.patch(one, { ...record, cron: "30 9 * * 1-5", name: "Later" }));
  expect(changed).toMatchObject({ cron: "30 9 * * 1-5", name: "Later", missed: "all" });
  expect(changed["next_times"]).not.toEqual(next_times);
  const team = await createTeam(api);
  expect((await desk.patch(one, { assigned_team_id: team.id })).body).toMatchObject({
    assigned_agent_id: null,
    assigned_team_id: team.id,
    next_times: changed["next_times"],
  });
  const newer = await schedule();
  expect(idsOf(await desk.get("/schedules?limit=2"))).toEqual([newer, id]);
  const page = await desk.get("/schedules?limit=1", { "x-api-version": "2" });
  expect(page.body).toMatchObject({ data: { has_more: true, items: [{ id: newer }] } });
  expect(await desk.delete(one)).toMatchObject({ status: 204, text: "" });
  for (const gone of [
    await desk.get(one),
    await desk.patch(one, {}),
    await desk.delete(one),
    await desk.get(`${one}/fires`),
  ]) {
    expect(refusal(gone)).toMatchObject({ status: 404, code: "not_found" });
  }
});

verifies("schedules.fault-paths", "invalid fields are rejected with their path, and nothing is written", async () => {
  const good = { name: "S", cron: YEARLY, assigned_agent_id: agentId, title: "T" };
  const id = await schedule();
  const before = (await desk.get("/schedules?limit=200")).text;
  const wrong = [
    [{ name: "" }, "name"],
    [{ cron: "x" }, "cron"],
    [{ cron: "0 0 30 2 *" }, "cron"],
    [{ time_zone: "Mars/Base" }, "time_zone"],
    [{ missed: "never" }, "missed"],
    [{ overlap: "queue" }, "overlap"],
    [{ priority: "now" }, "priority"],
    [{ title: "" }, "title"],
    [{ colour: "red" }, "colour"],
    [{ assigned_agent_id: newId() }, "assigned_agent_id"],
    [{ assigned_agent_id: null, assigned_team_id: newId() }, "assigned_team_id"],
    [{ assigned_agent_id: null }, "assigned_agent_id"],
    [{ assigned_agent_id: agentId, assigned_team_id: newId() }, "assigned_agent_id"],
  ] as const;
  for (const [fault, path] of wrong) {
    expect([fault, refusal(await desk.post("/schedules", { ...good, ...fault }))]).toMatchObject([
      fault,
      { status: 400, paths: [path] },
    ]);
    const patched = refusal(await desk.patch(`/schedules/${id}`, fault));
    expect([fault, patched.status]).toEqual([fault, 400]);
  }
  expect((await desk.get("/schedules?limit=200")).text).toBe(before);
  expect(refusal(await desk.get("/schedules/x"))).toMatchObject({ status: 400, paths: ["id"] });
});

verifies("schedules.resource", "a viewer can only read", async () => {
  const id = await schedule();
  const { workspace_id } = z.looseObject({ workspace_id: z.string() }).parse((await api.get("/api-me")).body);
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspace_id, "viewer")).key);
  expect((await viewer.get(`/schedules/${id}/fires`)).status).toBe(200);
  const body = { name: "S", cron: YEARLY, assigned_agent_id: agentId, title: "T" };
  for (const refused of [
    await viewer.post("/schedules", body),
    await viewer.patch(`/schedules/${id}`, { name: "X" }),
    await viewer.delete(`/schedules/${id}`),
  ]) {
    expect(refusal(refused)).toMatchObject({ status: 403, code: "forbidden" });
  }
});

verifies("schedules.fault-paths", "another workspace's agent is rejected", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const body = { name: "S", cron: YEARLY, assigned_agent_id: agentId, title: "T" };
  const answer = await consoleOf(service, other.key).post("/schedules", body);
  expect(refusal(answer)).toMatchObject({ status: 400, paths: ["assigned_agent_id"] });
});
