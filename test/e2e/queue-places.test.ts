import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, startService } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, stopTask, taskIn } from "../support/work.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

const OFF = "no longer dispatching it";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** A service with so many places whose queues are never looked at by themselves. */
async function startWithoutLooks(places: number) {
  const env = { RUNS_PER_PROCESS: String(places), LOG_LEVEL: "debug" };
  const service = await startService({ databaseUrl: database.url, env });
  await sql(database.url, "delete from dbos.queues");
  const output = () => Object.values(service.output()).join("");
  await eventually("the queue's own looks have ended", () => output().split(OFF).length > 2);
  return service;
}

async function waitingTasks(api: Api, descriptions: readonly string[]): Promise<string[]> {
  const { id } = await createAgent(api);
  const tasks = [];
  for (const description of descriptions) tasks.push(await createTask(api, { assigned_agent_id: id, description }));
  return tasks.map((task) => task.id);
}

verifies("engine.queue.place-given-on", "the place of a run that has ended goes to the next one that waits", async () => {
  const service = await startWithoutLooks(1);
  const api = apiOf(service, service.keys.api);
  const stranger = apiOf(service, (await addWorkspace(database.url)).key);
  const [first = "", ...others] = await waitingTasks(api, [ENDLESS, ...Array.from({ length: 8 }, () => QUICK)]);
  const theirs = await waitingTasks(stranger, [QUICK, QUICK]);
  await taskIn(api, first, "running");
  await stopTask(api, first);
  for (const id of others) expect(await taskIn(api, id, "completed")).toMatchObject({ attempt: 1 });
  for (const id of theirs) expect(await taskIn(stranger, id, "completed")).toMatchObject({ attempt: 1 });
  await service.stop();
});
