import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { openLine } from "../support/database/database-line.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { createDatabase, startService } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

/** As PgBouncer answers the login of a role that it does not know. */
const NO_SUCH_USER = ["SFATAL", "VFATAL", "C08P01", "Mno such user"].map((field) => `${field}\0`).join("");

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

verifies("engine.outage.ready-pooler", "a service whose requests get no connection is not ready", async () => {
  const line = await openLine(database.url);
  const env = { DATABASE_URL: line.url, DATABASE_DIRECT_URL: database.url };
  const service = await startService({ databaseUrl: database.url, env });
  try {
    const readiness = async () => (await fetch(`${service.url}/readyz`)).json();
    expect(await readiness()).toEqual({ status: "ready" });
    line.holdAnswers();
    expect(await readiness()).toEqual({ status: "unavailable", reasons: ["pooler"] });
    line.passAnswers();
    await eventually("it is ready again", async () => (await fetch(`${service.url}/readyz`)).ok);
  } finally {
    await service.stop();
    line.close();
  }
});

verifies("engine.outage.ready-writer", "a service that cannot store the events of runs is not ready", async () => {
  const service = await startService({ databaseUrl: database.url });
  const locker = new Client({ connectionString: database.url });
  await locker.connect();
  try {
    const readiness = async () => (await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).json();
    expect(await readiness()).toEqual({ status: "ready" });
    for (const table of ["task_events", "task_streams", "jobs"]) {
      await locker.query("begin");
      await locker.query(`lock table ${table}`);
      expect(await readiness()).toEqual({ status: "unavailable", reasons: ["writer"] });
      await locker.query("commit");
      await eventually("it is ready again", async () => (await fetch(`${service.url}/readyz`)).ok);
    }
  } finally {
    await locker.end();
    await service.stop();
  }
});

verifies("engine.outage.metrics", "metrics are served while the database does not answer", async () => {
  const line = await openLine(database.url);
  const port = await freePort();
  const service = await startService({ databaseUrl: line.url, env: { OPS_PORT: String(port) } });
  try {
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(await metrics()).toMatch(/^muster_database_up 1$/m);
    line.holdAnswers();
    expect(await metrics()).toMatch(/^muster_database_up 0$/m);
    line.passAnswers();
    await eventually("it is up again", async () => /^muster_database_up 1$/m.test(await metrics()));
  } finally {
    await service.stop();
    line.close();
  }
});

verifies(
  "engine.outage.login-rejected",
  "a pooler that knows no role for requests gets that of the service",
  async () => {
    const pooler = await startRejectingPooler(new URL(database.url));
    const address = pooler.address();
    const url = new URL(database.url);
    url.search = "";
    url.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const env = { DATABASE_URL: url.href, DATABASE_DIRECT_URL: database.url };
    const service = await startService({ databaseUrl: database.url, env });
    try {
      expect(service.output().stdout).toMatch(/Requests log in as the role of DATABASE_URL.*no such user/);
    } finally {
      await service.stop();
      pooler.close();
    }
  },
);

/** Passes on all connections but those of the roles of requests. */
async function startRejectingPooler({ hostname, port, searchParams }: URL): Promise<Server> {
  const folder = searchParams.get("host");
  const server = createServer(async (client) => {
    client.on("error", () => undefined);
    const [startup] = await once(client, "data");
    if (String(startup).includes("muster_requests_")) {
      const length = Buffer.alloc(4);
      length.writeInt32BE(NO_SUCH_USER.length + 5);
      client.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(`${NO_SUCH_USER}\0`)]));
      return;
    }
    const upstream = folder === null ? connect(Number(port), hostname) : connect(`${folder}/.s.PGSQL.${port || 5432}`);
    upstream.on("error", () => client.destroy());
    upstream.write(startup);
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}
