import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { ENDLESS, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const ENV = { RUNS_PER_PROCESS: "1" };
const BEATS = 2;

let database: TestDatabase;
let service: TestService;
let ear: Client;
let heard: string[] = [];

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ databaseUrl: database.url, env: ENV });
  ear = new Client({ connectionString: database.url });
  await ear.connect();
  ear.on("notification", ({ payload = "" }) => heard.push(payload));
  await ear.query("listen muster_wake");
});
afterAll(async () => {
  await ear.end();
  await service.stop();
  await database.drop();
});

async function beats(): Promise<number> {
  const [row] = await sql(database.url, "select sum(beat)::integer as beats from executors");
  return Number(row?.["beats"]);
}

test("work without a slot is announced when there is a process to hear it", { tags: "slow" }, async () => {
  const api = apiOf(service, service.keys.api);
  const { id } = await createAgent(api);
  const begin = () => createTask(api, { assigned_agent_id: id, description: ENDLESS });
  const first = await begin();
  await taskIn(api, first.id, "running");

  // A process knows by its beat whether there are others.
  await eventually("it is known", async () => (await beats()) > BEATS);
  heard = [];
  const queued = await begin();
  const before = await beats();
  await eventually("the keeper has polled", async () => (await beats()) > before + BEATS);
  expect(heard).toEqual([]);

  const peer = await startPeer({ databaseUrl: database.url, keys: service.keys, env: ENV });
  try {
    await taskIn(api, queued.id, "running");
    heard = [];
    const another = await begin();
    await eventually("it is announced", () => heard.some((payload) => payload.includes(" task ")));
    for (const task of [first, queued, another]) await stopTask(api, task.id);
  } finally {
    await peer.stop();
  }
});
