import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { ADA_ENV, bearer, postAuth, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { readLive } from "../../support/clients/live-reader.ts";
import type { LiveReader } from "../../support/clients/live-reader.ts";
import { createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** A second, and what a busy machine needs to notice. */
const WITHIN_A_SECOND_MS = 10_000;

const changes = z.array(z.looseObject({ kind: z.string(), id: z.string(), status: z.string().optional() }));
const accessed = z.looseObject({ access_token: z.string(), workspace_id: z.string() });
const followed = z.looseObject({ run: z.string(), seq: z.int(), type: z.string(), timestamp: z.number() });

const keys = createKeys();
let database: TestDatabase;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  one = await startService({ databaseUrl: database.url, keys, env: ADA_ENV });
  other = await startService({ databaseUrl: database.url, keys, env: ADA_ENV });
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

function changesOf({ frames }: LiveReader) {
  return frames.filter(({ event }) => event === "changed").flatMap(({ data }) => changes.parse(data));
}

function eventsOf({ frames }: LiveReader, run: string) {
  const events = frames.filter(({ event }) => event === undefined).map(({ data }) => followed.parse(data));
  return events.filter((event) => event.run === run);
}

verifies("console.live.changes", "a page gets changes by every process, of its workspace only", async () => {
  const { key } = await addWorkspace(database.url);
  const viewer = await readLive(one.url, { "x-api-key": key });
  const foreign = await readLive(one.url, { "x-api-key": keys.api });
  const options = z
    .object({ build: z.string().nullable() })
    .parse(await (await fetch(`${one.url}/auth/options`)).json());
  expect(viewer.frames[0]).toMatchObject({ event: "hello", data: { build: options.build } });
  const api = apiOf(other, key);
  const agent = await createAgent(api, { tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Go?", timeoutMs: 600_000 });
  const task = await createTask(api, { description, assigned_agent_id: agent.id });
  const asked = await eventually("the question is announced", () =>
    Promise.resolve(changesOf(viewer).find(({ kind }) => kind === "question")),
  );
  await eventually("the task is said to wait", () =>
    Promise.resolve(changesOf(viewer).some(({ id, status }) => id === task.id && status === "waiting_for_input")),
  );
  expect(changesOf(viewer).some(({ kind, id }) => kind === "agent" && id === agent.id)).toBe(true);
  await consoleOf(other, key).post(`/tasks/${task.id}/answer`, { interactionId: asked.id, approved: true });
  await eventually("the answer and the end are announced", () => {
    const seen = changesOf(viewer);
    const has = (of: string, state: string) => seen.some(({ id, status }) => id === of && status === state);
    return Promise.resolve(has(asked.id, "answered") && has(task.id, "completed"));
  });
  const dropped = await createTask(api, { description, assigned_agent_id: agent.id });
  const open = await eventually("the next question is announced", () =>
    Promise.resolve(changesOf(viewer).find(({ kind, id }) => kind === "question" && id !== asked.id)),
  );
  await stopTask(api, dropped.id);
  await eventually("the question of the cancelled task is gone", () =>
    Promise.resolve(changesOf(viewer).some(({ id, status }) => id === open.id && status === "deleted")),
  );
  const mine = new Set([task.id, agent.id, asked.id]);
  expect(changesOf(foreign).filter(({ id }) => mine.has(id))).toEqual([]);
  viewer.close();
  foreign.close();
});

verifies(
  "console.live.follow",
  "events of a followed run come whole, from where the page is, over attempts",
  async () => {
    const { key } = await addWorkspace(database.url);
    const api = apiOf(other, key);
    const agent = await createAgent(api);
    const task = await createTask(api, { title: "Followed" });
    const viewer = await readLive(one.url, { "x-api-key": key }, `?follow=${task.id}@0`);
    await api.patch(`/api-tasks?id=${task.id}`, {
      assigned_agent_id: agent.id,
      description: "[[slow:20]][[words:40]]",
    });
    const count = (type: string) => eventsOf(viewer, task.id).filter((event) => event.type === type).length;
    await eventually("it is finished", () => Promise.resolve(count("RUN_FINISHED") === 1));
    await api.patch(`/api-tasks?id=${task.id}`, { description: QUICK, status: "dispatched" });
    await eventually("it is finished again", () => Promise.resolve(count("RUN_FINISHED") === 2));
    const events = eventsOf(viewer, task.id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    viewer.close();

    const late = await readLive(other.url, { "x-api-key": key }, `?follow=${task.id}@${events.length - 3}`);
    await eventually("the rest is sent", () => Promise.resolve(eventsOf(late, task.id).length === 3));
    expect(eventsOf(late, task.id)).toEqual(events.slice(-3));
    late.close();

    const whole = await readLive(one.url, { "x-api-key": key }, `?follow=${task.id}@0`);
    await eventually("attempts that have ended are sent, too", () =>
      Promise.resolve(eventsOf(whole, task.id).length === events.length),
    );
    await api.patch(`/api-tasks?id=${task.id}`, { status: "dispatched" });
    await eventually("and the one that begins then", () =>
      Promise.resolve(eventsOf(whole, task.id).filter(({ type }) => type === "RUN_FINISHED").length === 3),
    );
    whole.close();
  },
  { tags: "slow" },
);

verifies("console.live.credential", "the stream ends with the session", async () => {
  const session = await signIn(one);
  const viewer = await readLive(one.url, bearer(session.access_token));
  expect(viewer.isOver()).toBe(false);
  expect((await postAuth(other, "sign-out", {}, { cookie: session.cookie })).status).toBe(204);
  await eventually("it is closed", () => Promise.resolve(viewer.isOver()), WITHIN_A_SECOND_MS);
});

verifies(
  "console.live.complete",
  "a stream begins with the changes since its page's session was refreshed",
  async () => {
    const session = await signIn(one);
    const refreshed = await postAuth(one, "refresh", {}, { cookie: session.cookie });
    const { access_token: token, workspace_id: workspaceId } = accessed.parse(refreshed.body);
    const { id } = await createAgent(apiOf(other, keys.api));
    const seen = async (service: TestService, query: string) => {
      const viewer = await readLive(service.url, bearer(token), query);
      await eventually("the change is sent", () =>
        Promise.resolve(query === "" || changesOf(viewer).some((change) => change.id === id)),
      );
      viewer.close();
      return viewer.frames[0]?.data;
    };
    // The change was announced to both processes.
    expect(await seen(one, "?since=1")).toMatchObject({ complete: true });
    expect(await seen(other, "?since=1")).toMatchObject({ complete: true });
    expect(await seen(one, "?since=600000")).toMatchObject({ complete: false });
    expect(await seen(one, "")).toMatchObject({ complete: false });
    expect(await sql(database.url, "select from live_viewers where workspace_id = $1", [workspaceId])).toHaveLength(1);
    expect(refusal(await consoleOf(one, keys.api).get("/live?since=-1")).status).toBe(400);
  },
);

verifies("console.live.flat", "without a viewer nothing is announced", async () => {
  const { key, workspaceId } = await addWorkspace(database.url);
  const text = "select from live_viewers where workspace_id = $1";
  await createTask(apiOf(one, key));
  expect(await sql(database.url, text, [workspaceId])).toEqual([]);
  const viewer = await readLive(one.url, { "x-api-key": key });
  expect(await sql(database.url, text, [workspaceId])).toHaveLength(1);
  viewer.close();
});

verifies("console.live.flat", "an outdated announcement is ignored", async () => {
  const { key, workspaceId } = await addWorkspace(database.url);
  await sql(database.url, "insert into live_viewers values ($1, now() - interval '31 seconds')", [workspaceId]);
  const { Client } = await import("pg");
  const client = new Client({ connectionString: database.url });
  const heard: string[] = [];
  client.on("notification", ({ payload = "" }) => void (payload.startsWith(workspaceId) && heard.push(payload)));
  await client.connect();
  try {
    await client.query("listen muster_changes");
    const agent = await createAgent(apiOf(one, key));
    const task = await createTask(apiOf(one, key), { description: QUICK, assigned_agent_id: agent.id });
    await taskIn(apiOf(one, key), task.id, "completed");
    await client.query("select 1");
    expect(heard).toEqual([]);
  } finally {
    await client.end();
  }
});

verifies("console.live.bad-input", "an invalid follow is rejected before the stream starts", async () => {
  const desk = consoleOf(one, keys.api);
  const foreign = await createTask(apiOf(one, (await addWorkspace(database.url)).key));
  for (const follow of ["x", "@1", newId(), `${newId()}@-1`, `${newId()}@1.5`, `${newId()}@9999999999`]) {
    expect([follow, refusal(await desk.get(`/live?follow=${follow}`)).status]).toEqual([follow, 400]);
  }
  const many = Array.from({ length: 21 }, () => `follow=${newId()}@0`).join("&");
  expect(refusal(await desk.get(`/live?${many}`)).status).toBe(400);
  for (const id of [newId(), foreign.id]) {
    expect(refusal(await desk.get(`/live?follow=${id}@0`)).status).toBe(404);
  }
});
