import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { consoleOf, apiOf } from "../support/api.ts";
import { inDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { runMuster } from "../support/muster.ts";
import { startReplicatedDatabase } from "../support/replica/standby.ts";
import type { ReplicatedDatabase, Standby } from "../support/replica/standby.ts";
import { ENCRYPTION_KEY, createKeys, startService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, taskInState } from "../support/work.ts";
import { openWorkspace, sql } from "../support/workspace.ts";

const usage = z.object({ total: z.object({ calls: z.int() }) });
const stats = z.tuple([z.object({ agent_id: z.uuid(), runs: z.int() })]);
const overview = z.object({ total: z.object({ completed: z.int() }) });
const tenants = z.object({ items: z.array(z.object({ id: z.uuid(), held_at: z.string().nullable() })) });
const findings = z.array(z.object({ check: z.string(), outcome: z.string(), text: z.string() }));

const keys = createKeys();
let database: ReplicatedDatabase;
let standby: Standby;
/** Takes a replica however far it is behind. */
let patient: Scene;
/** Takes a replica that is at most a second behind. */
let strict: Scene;

type Scene = Awaited<ReturnType<typeof open>>;

beforeAll(async () => {
  database = await startReplicatedDatabase();
  standby = database.standby;
  patient = await open("3600");
  strict = await open("1");
}, 120_000);

afterAll(async () => {
  await strict.service.stop();
  await patient.service.stop();
  await database.close();
});

async function open(maxLag: string) {
  const port = await freePort();
  const env = { DATABASE_READ_URL: standby.url, DATABASE_READ_LAG: maxLag, OPS_PORT: String(port) };
  const service = await startService({ databaseUrl: database.url, keys, env });
  const api = apiOf(service, keys.api);
  const console = consoleOf(service, keys.api);
  return { service, api, console, metrics: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text() };
}

/** How many reports a server has answered, for this reason. */
async function reads({ metrics }: Scene, server: string, reason: string): Promise<number> {
  const line = new RegExp(`^muster_report_reads_total\\{server="${server}",reason="${reason}"\\} (\\d+)$`, "m");
  return Number(line.exec(await metrics())?.[1] ?? 0);
}

async function calls({ console }: Pick<Scene, "console">): Promise<number> {
  const answer = await console.get("/usage");
  expect(answer.status).toBe(200);
  return usage.parse(answer.body).total.calls;
}

/** Asks until it is this server that answers, for this reason; returns its answer. */
function readFrom<T>(scene: Scene, [server, reason]: readonly [string, string], ask: () => Promise<T>) {
  return eventually(`the ${server} answers: ${reason}`, async () => {
    const before = await reads(scene, server, reason);
    const answer = await ask();
    return (await reads(scene, server, reason)) > before && { answer };
  });
}

const REPLICA = ["replica", "current"] as const;

async function awaitRead(scene: Scene, server: string, reason: string): Promise<void> {
  await readFrom(scene, [server, reason], () => calls(scene));
}

/** Makes a call that the usage counts; returns the agent. */
async function work({ api }: Scene): Promise<string> {
  const { id } = await createAgent(api);
  await taskInState(api, { status: "completed", agentId: id, description: QUICK });
  return id;
}

describe("a read replica", () => {
  verifies(
    ["ops.replica.reports", "ops.replica.current"],
    "the replica answers reports, and the primary what a client may have changed just before",
    async () => {
      const { service, console } = patient;
      const other = await openWorkspace(service);
      const listed = async () => tenants.parse((await console.get("/instance/tenants")).body).items;
      const isKnown = async () => (await listed()).some(({ id }) => id === other.workspaceId);
      await work(patient);
      await eventually("the replica knows both", async () => (await calls(patient)) === 1 && (await isKnown()));
      await awaitRead(patient, ...REPLICA);
      await standby.pause();
      const agent = await work(patient);
      expect((await console.patch(`/instance/workspaces/${other.workspaceId}`, { held: true })).status).toBe(200);

      expect(await readFrom(patient, REPLICA, () => calls(patient))).toEqual({ answer: 1 });
      const ofAgent = await readFrom(patient, REPLICA, () => console.get(`/agents/stats?id=${agent}`));
      expect(stats.parse(ofAgent.answer.body)).toMatchObject([{ agent_id: agent, runs: 0 }]);
      const home = await readFrom(patient, REPLICA, () => console.get("/overview"));
      expect(overview.parse(home.answer.body).total.completed).toBe(1);
      const audit = await readFrom(patient, REPLICA, () => console.get("/audit?format=ndjson"));
      expect(audit.answer.text).not.toContain("workspace.held");
      expect((await console.get("/audit")).text).toContain("workspace.held");
      const { answer } = await readFrom(patient, REPLICA, listed);
      expect(answer.find(({ id }) => id === other.workspaceId)?.held_at).not.toBeNull();
      await standby.resume();
      await eventually("the replica has caught up", async () => (await calls(patient)) === 2);
    },
    120_000,
  );

  verifies(
    "ops.replica.tenancy",
    "a workspace sees nothing of another one at the replica",
    async () => {
      const other = await openWorkspace(patient.service);
      expect(await readFrom(patient, REPLICA, () => calls(other))).toEqual({ answer: 0 });
      expect(await calls(patient)).toBe(2);
    },
    60_000,
  );

  verifies(
    "ops.replica.lag",
    "a replica that is too far behind is skipped until it has caught up",
    async () => {
      await awaitRead(strict, "replica", "current");
      await standby.pause();
      await work(strict);
      await awaitRead(strict, "primary", "lag");
      expect(await calls(strict)).toBe(3);
      await standby.resume();
      await awaitRead(strict, "replica", "current");
      expect(await calls(strict)).toBe(3);
    },
    120_000,
  );

  verifies(
    "ops.replica.lost",
    "a replica that is killed or frozen costs no answer, and is used again when it is back",
    async () => {
      const reading = Promise.all(Array.from({ length: 20 }, () => calls(patient)));
      await standby.kill();
      expect(await reading).toEqual(Array.from({ length: 20 }, () => 3));
      await awaitRead(patient, "primary", "unreachable");
      expect((await fetch(`${patient.service.url}/readyz`)).status).toBe(200);
      expect(await doctor()).toMatchObject({ outcome: "warning" });
      await standby.start();
      await awaitRead(patient, "replica", "current");

      standby.freeze();
      expect(await Promise.all(Array.from({ length: 20 }, () => calls(patient)))).toEqual(
        Array.from({ length: 20 }, () => 3),
      );
      await awaitRead(patient, "primary", "unreachable");
      standby.thaw();
      await awaitRead(patient, "replica", "current");
    },
    120_000,
  );

  verifies(
    "ops.replica.judged",
    "what is no replica of this database and schema, with this role, is not used",
    async () => {
      const { url } = database;
      await sql(url, "create role other login superuser");
      await sql(url, "create database elsewhere");
      await sql(inDatabase(url, "elsewhere"), "create table schema_migrations as select 1 as version");
      await awaitRead(patient, ...REPLICA);
      await eventually("the replica has the role and the database", () => isThere());
      expect(await doctor(url)).toMatchObject({ outcome: "warning", text: expect.stringContaining("not a standby") });
      const other = new URL(standby.url);
      other.username = "other";
      expect(await doctor(other.href)).toMatchObject({ text: expect.stringContaining("Its role is other") });
      const elsewhere = inDatabase(standby.url, "elsewhere");
      expect(await doctor(elsewhere)).toMatchObject({ text: expect.stringContaining("another database") });
      await standby.pause();
      await sql(url, "insert into schema_migrations (version, name, checksum) values (9999, '9999-later.sql', '')");
      expect(await doctor()).toMatchObject({ text: expect.stringContaining("and the primary 9999") });
      await sql(url, "delete from schema_migrations where version = 9999");
      await standby.resume();
      await awaitRead(patient, ...REPLICA);
    },
    60_000,
  );

  verifies(
    "ops.replica.doctor",
    "the doctor has a line about the replica",
    async () => {
      expect(await doctor()).toMatchObject({ outcome: "ok", text: expect.stringContaining("answers reports") });
    },
    60_000,
  );

  verifies(
    "ops.replica.promoted",
    "a promoted replica is not used any more",
    async () => {
      await standby.promote();
      await awaitRead(patient, "primary", "not_standby");
      await work(patient);
      expect(await calls(patient)).toBe(4);
      expect(await doctor()).toMatchObject({ outcome: "warning", text: expect.stringContaining("not a standby") });
    },
    60_000,
  );
});

function isThere(): Promise<boolean> {
  const other = new URL(inDatabase(standby.url, "elsewhere"));
  other.username = "other";
  return sql(other.href, "select from schema_migrations").then(
    () => true,
    () => false,
  );
}

/** What the doctor says of a replica. */
async function doctor(replica = standby.url) {
  const { stdout } = await runMuster(["doctor", "--json"], {
    env: {
      DATABASE_URL: database.url,
      DATABASE_READ_URL: replica,
      DATABASE_READ_LAG: "3600",
      MUSTER_DATA: patient.service.folder,
      ENCRYPTION_KEY,
    },
  });
  return findings.parse(JSON.parse(stdout)).find(({ check }) => check === "read replica");
}
