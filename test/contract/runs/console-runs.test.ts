import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA_ENV, bearer, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import type { AgentFields, TaskFields } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const page = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      title: z.string(),
      status: z.string(),
      source: z.object({ kind: z.string(), id: z.string().nullable(), name: z.string().nullable() }),
      cost_usd: z.number(),
      duration_ms: z.number().nullable(),
      error_code: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

let service: TestService;
/** Creates a task with a title and waits until it is in a state. */
async function brought(fields: Readonly<Record<string, string>>, status: string): Promise<TaskFields> {
  const { id } = await createTask(api, fields);
  return taskIn(api, id, status);
}

let api: Api;
let api2: Api;
let agent: AgentFields;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
  api = apiOf(service, service.keys.api);
  api2 = consoleOf(service, service.keys.api);
  agent = await createAgent(api, { name: "Clerk", tags: ["billing"] });
});
afterAll(() => service.stop());

async function list(query: string, on: Api = api2) {
  return page.parse((await on.get(`/runs${query}`)).body);
}

async function titles(query: string): Promise<string[]> {
  return (await list(query)).items.map(({ title }) => title);
}

verifies("console.runs.one-list", "tasks and lone runs are in one list, and a team's task is one row", async () => {
  const team = await createTeam(api, { name: "Crew", config: { steps: [{ agent_id: agent.id }] } });
  const run = await startRun(api, team.id, "A lone run");
  const task = await createTask(api, { title: "A team's task", description: QUICK, assigned_team_id: team.id });
  const own = await createTask(api, { title: "A draft" });
  const { items } = await list(`?team_id=${team.id}`);
  expect(items.map(({ id, kind }) => [id, kind])).toEqual([
    [task.id, "task"],
    [run.id, "run"],
  ]);
  expect(items[1]).toMatchObject({ title: "A lone run", team: { id: team.id, name: "Crew" }, agent: null, attempt: 1 });
  const [draft] = (await list(`?q=${own.id}`)).items;
  expect(draft).toMatchObject({ id: own.id, status: "pending", tokens: 0, duration_ms: null, error_code: null });
  expect(Object.keys(draft ?? {})).not.toContain("result");
});

verifies(
  "console.runs.filters",
  "each filter finds what fits, and several values of one are alternatives",
  async () => {
    const other = await createAgent(api, { name: "Another", tags: ["shipping"] });
    const made = { done: "Invoice 2024-117.pdf", failed: "Größe prüfen", running: "Endless invoices" };
    const mine = { assigned_agent_id: agent.id } as const;
    const done = await brought({ ...mine, title: made.done, description: QUICK }, "completed");
    await brought({ ...mine, title: made.failed, description: FAILING }, "failed");
    const running = await brought(
      { assigned_agent_id: other.id, title: made.running, description: ENDLESS },
      "running",
    );
    const of = (query: string) =>
      titles(query).then((found) => found.filter((title) => Object.values(made).includes(title)));
    expect(await of("?status=completed")).toEqual([made.done]);
    expect(await of("?status=failed&status=running")).toEqual([made.running, made.failed]);
    expect(await of(`?agent_id=${other.id}`)).toEqual([made.running]);
    expect(await of(`?agent_id=${other.id}&agent_id=${agent.id.toUpperCase()}`)).toHaveLength(3);
    expect(await of("?tag=billing")).toEqual([made.failed, made.done]);
    expect(await of("?tag=billing&tag=shipping")).toHaveLength(3);
    expect(await of("?error_code=MODEL_ERROR&error_code=INTERNAL_ERROR")).toEqual([made.failed]);
    for (const q of ["invo", "INVOICE 117", "pdf", "2024-117"])
      expect([q, await of(`?q=${q}`)]).toEqual([q, expect.arrayContaining([made.done])]);
    expect(await of(`?q=${encodeURIComponent("größe")}`)).toEqual([made.failed]);
    expect(await of("?q=voice")).toEqual([]);
    expect(await of(`?q=${done.id.slice(0, 13)}`)).toContain(made.done);
    expect(await of(`?since=${new Date(Date.now() + 3_600_000).toISOString()}`)).toEqual([]);
    expect(await of(`?until=${new Date(Date.now() - 3_600_000).toISOString()}`)).toEqual([]);
    expect(await of("?source=api&source=schedule&status=running")).toEqual([made.running]);
    expect(await of("?source=a2a")).toEqual([]);
    await sql(service.databaseUrl, "update usage_records set estimated_cost_usd = 0.5 where task_id = $1", [
      running.id,
    ]);
    expect((await list("?min_cost=0.0001")).items.every(({ cost_usd }) => cost_usd >= 0.0001)).toBe(true);
    await api.patch(`/api-tasks?id=${running.id}`, { status: "cancelled" });
  },
);

verifies("console.runs.filters", "a new attempt starts without the failure of the one before", async () => {
  const failed = await brought({ assigned_agent_id: agent.id, title: "Twice", description: FAILING }, "failed");
  expect((await list(`?q=${failed.id}`)).items[0]?.error_code).not.toBeNull();
  await api.patch(`/api-tasks?id=${failed.id}`, { description: ENDLESS, status: "dispatched" });
  const row = async () => (await list(`?q=${failed.id}`)).items[0];
  await eventually("it runs again", async () => (await row())?.status === "running");
  expect(await row()).toMatchObject({ error_code: null, attempt: 2 });
  await api.patch(`/api-tasks?id=${failed.id}`, { status: "cancelled" });
});

verifies("console.runs.orders", "pages of each order give every row once", async () => {
  const { key, workspaceId } = await addWorkspace(service.databaseUrl);
  const mine = consoleOf(service, key);
  const work = apiOf(service, key);
  const made = await Promise.all(Array.from({ length: 7 }, (_, index) => createTask(work, { title: `Task ${index}` })));
  // Three of the very same time and cost, so that a page ends among them.
  await sql(
    service.databaseUrl,
    `update tasks set created_at = '2026-01-01', started_at = '2026-01-01', completed_at = '2026-01-01 00:00:05',
       cost_usd = 1, status = 'completed'
     where id = any($1::uuid[])`,
    [made.slice(0, 3).map(({ id }) => id)],
  );
  await sql(
    service.databaseUrl,
    `update tasks set started_at = created_at, completed_at = created_at + interval '2 seconds', cost_usd = 0.25,
       status = 'completed'
     where id = $1 and workspace_id = $2`,
    [made[3]?.id, workspaceId],
  );
  for (const [sort, place] of [
    ["newest", 0],
    ["cost", 3],
    ["duration", 3],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { items, next_cursor } = await list(`?sort=${sort}&limit=2${after}`, mine);
      seen.push(...items.map(({ id }) => id));
      cursor = next_cursor;
    }
    expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 7, 7]);
    if (place > 0) expect(seen[place]).toBe(made[3]?.id);
  }
});

verifies("console.runs.source", "tasks and runs record their source", async () => {
  const person = await signIn(service);
  const task = fieldsOf(
    await send("POST", `${service.url}/functions/v1/api-tasks`, {
      headers: bearer(person.access_token),
      body: { title: "By hand" },
    }),
  );
  const trigger = fieldsOf(
    await api2.post("/triggers", { name: "Shop", title: "Order", description: QUICK, assigned_agent_id: agent.id }),
  );
  const received = await send("POST", String(trigger["url"]), { body: { order: 1 } });
  expect(received.status).toBe(202);
  const team = await createTeam(api, { config: { steps: [{ agent_id: agent.id }] } });
  const run = await startRun(api, team.id, QUICK);
  const row = async (id: unknown) => (await list(`?q=${String(id)}`)).items[0];
  await eventually("the run has ended", async () => (await row(run.id))?.status === "completed");
  const fork = fieldsOf(await api2.post(`/runs/${run.id}/fork`, { from_step: 0 }));
  expect((await row(task["id"]))?.source).toEqual({ kind: "console", id: person.user.id, name: expect.any(String) });
  expect((await row(run.id))?.source).toEqual({ kind: "api", id: expect.any(String), name: "First API key" });
  expect((await row(fork["id"]))?.source).toEqual({ kind: "fork", id: run.id, name: null });
  const { items } = await list("?source=trigger");
  expect(items.map(({ source }) => source)).toEqual([{ kind: "trigger", id: trigger["id"], name: "Shop" }]);
});

verifies("console.runs.bad-input", "an invalid query returns the reason, and hostile text finds nothing", async () => {
  const bad = {
    status: "done",
    agent_id: "1",
    source: "mail",
    error_code: "x",
    tag: "",
    q: "%20",
    since: "yesterday",
    until: "2026-13-01",
    min_cost: "-1",
    sort: "title",
    limit: "201",
    cursor: "x",
    unknown: "1",
  };
  for (const [name, value] of Object.entries(bad)) {
    const answer = await api2.get(`/runs?${name}=${value}`);
    expect([name, refusal(answer).status, refusal(answer).paths[0]?.split(".")[0]]).toEqual([name, 400, name]);
  }
  const other = Buffer.from(JSON.stringify({ sort: "cost", key: "1", id: agent.id })).toString("base64url");
  const wrongKey = Buffer.from(JSON.stringify({ sort: "newest", key: "no time", id: agent.id })).toString("base64url");
  for (const cursor of [other, wrongKey]) {
    expect(refusal(await api2.get(`/runs?cursor=${cursor}`)).paths).toEqual(["cursor"]);
  }
  for (const q of ["!!!", "' or 1=1 --", "a:* & !b | (c", "\\", "%", "::", "0000", "💥", "<->"]) {
    const answer = await api2.get(`/runs?q=${encodeURIComponent(q)}`);
    expect([q, answer.status]).toEqual([q, 200]);
  }
});

verifies("console.runs.one-list", "a viewer reads the list of their own workspace", async () => {
  const { workspaceId } = await addWorkspace(service.databaseUrl);
  const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
  expect(await list("?sort=duration", consoleOf(service, viewer.key))).toEqual({ items: [], next_cursor: null });
});
