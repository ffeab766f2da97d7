import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { createDatabase, startService } from "../support/service.ts";
import type { TestDatabase, TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { ENDLESS, QUICK, createAgent, createTask, stopTask, taskIn } from "../support/work.ts";
import { addWorkspace, sql } from "../support/workspace.ts";

/** No process becomes the keeper, whose poll would find what waits. */
const NO_KEEPER = `
  create function no_keeper() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger no_keeper before update on keeper for each row execute function no_keeper()`;

let database: TestDatabase;
let service: TestService;

beforeAll(async () => {
  database = await createDatabase();
  await sql(database.url, NO_KEEPER);
  service = await startService({ databaseUrl: database.url, env: { RUNS_PER_PROCESS: "1" } });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

async function waitingTasks(api: Api, descriptions: readonly string[]): Promise<string[]> {
  const { id } = await createAgent(api);
  const tasks = [];
  for (const description of descriptions) tasks.push(await createTask(api, { assigned_agent_id: id, description }));
  return tasks.map((task) => task.id);
}

verifies("engine.queue.place-given-on", "the slot of a run that ends goes to the next queued run", async () => {
  const api = apiOf(service, service.keys.api);
  const stranger = apiOf(service, (await addWorkspace(database.url)).key);
  const [first = "", ...others] = await waitingTasks(api, [ENDLESS, ...Array.from({ length: 8 }, () => QUICK)]);
  const theirs = await waitingTasks(stranger, [QUICK, QUICK]);
  await taskIn(api, first, "running");
  await stopTask(api, first);
  for (const id of others) expect(await taskIn(api, id, "completed")).toMatchObject({ attempt: 1 });
  for (const id of theirs) expect(await taskIn(stranger, id, "completed")).toMatchObject({ attempt: 1 });
});
