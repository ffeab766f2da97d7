import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect } from "vitest";
import { Client } from "pg";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const keys = createKeys();
/** The lock under which a process migrates. */
const MIGRATION_LOCK = 687_837;
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Keeps every start waiting until the returned function is called. */
async function holdStarts(): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: database.url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  return () => client.end();
}

async function startHeld() {
  const port = String(await freePort());
  let process: ChildProcess | undefined;
  const onSpawn = (child: ChildProcess) => (process = child);
  const outcome = startProcess({ databaseUrl: database.url, keys, env: { PORT: port }, onSpawn }).then(
    (service) => ({ service, refused: "" }),
    (error: unknown) => ({ service: undefined, refused: String(error) }),
  );
  return { url: `http://127.0.0.1:${port}`, outcome, stop: () => process?.kill("SIGTERM") };
}

function isStarting(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    async (answer) => answer.status === 503 && (await answer.text()).includes('"starting"'),
    () => false,
  );
}

verifies(
  ["operations.ready.starting", "operations.ready.reasons"],
  "a starting service returns 503 on every surface, and 200 when its engine runs",
  async () => {
    const release = await holdStarts();
    const { url, outcome } = await startHeld();
    await eventually("it says that it starts", () => isStarting(url));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const post = await fetch(`${url}/functions/v1/api-tasks`, { method: "POST", body: "{}" });
    expect([post.status, post.headers.get("retry-after"), await post.json()]).toMatchObject([
      503,
      "2",
      { error: { code: "unavailable" } },
    ]);
    const table = await fetch(`${url}/rest/v1/tasks`);
    expect([table.status, await table.json()]).toMatchObject([503, { code: "PGRST000" }]);
    await release();
    const { service } = await outcome;
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
    await service?.stop();
  },
);

verifies("operations.ready.stop-while-starting", "a service that is stopped while it starts ends cleanly", async () => {
  const release = await holdStarts();
  const { url, outcome, stop } = await startHeld();
  await eventually("it says that it starts", () => isStarting(url));
  stop();
  expect((await outcome).refused).toContain("ended with 0 before it was ready");
  await release();
});
