import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../support/api.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../support/service.ts";
import type { TestDatabase, TestProcess, TestService } from "../support/service.ts";
import { eventually } from "../support/eventually.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";

const keys = createKeys();
let database: TestDatabase;
/** The first process, and what runs in its place. */
let killed: TestProcess;
let first: TestService;
let second: TestService;

beforeAll(async () => {
  database = await createDatabase();
  first = killed = await startProcess({ databaseUrl: database.url, keys });
  second = await startService({ databaseUrl: database.url, keys });
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await database.drop();
});

verifies(
  "pause.processes",
  "a pause holds on every process and across a restart; what runs is taken over",
  async () => {
    const api = apiOf(first, keys.api);
    const { id: agent } = await createAgent(api, { tools: ["wait"] });
    const slow = `[[tool:wait {"seconds":5}]][[say:done]]`;
    const running = await createTask(api, { title: "Run", description: slow, assigned_agent_id: agent });
    await taskIn(api, running.id, "running");
    await consoleOf(second, keys.api).patch("/workspace", { paused: true });
    const held = await Promise.all(
      [first, second].map((process) =>
        createTask(apiOf(process, keys.api), { title: "Wait", description: QUICK, assigned_agent_id: agent }),
      ),
    );
    await killed.kill();
    first = await startPeer({ databaseUrl: database.url, keys });
    await taskIn(apiOf(second, keys.api), running.id, "completed");
    const ids = held.map(({ id }) => id);
    expect(await sql(database.url, "select from tasks where id = any($1) and status <> 'dispatched'", [ids])).toEqual(
      [],
    );
    await consoleOf(first, keys.api).patch("/workspace", { paused: false });
    await eventually("the held tasks complete", async () => {
      const rows = await sql(database.url, "select from tasks where id = any($1) and status = 'completed'", [ids]);
      return rows.length === ids.length;
    });
  },
);
