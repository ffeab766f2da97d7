import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { envExample } from "../../../scripts/env-example.ts";
import { SETTING_GROUPS } from "../../../src/config/config.ts";
import { apiOf, send } from "../../support/api.ts";
import { openLine } from "../../support/database/database-line.ts";
import { inDatabase, onServer } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { NODE_ENVIRONMENT } from "../../support/hosts/node-environment.ts";
import { sql } from "../../support/workspace.ts";

const ROOT = join(import.meta.dirname, "../../..");
const MIGRATIONS = join(ROOT, "src/db/migrations");
const NOTHING_GIVEN = {
  MUSTER_INIT_API_KEY: "",
  MUSTER_INIT_AGUI_KEY: "",
  MUSTER_INIT_A2A_KEY: "",
  MUSTER_INIT_MCP_KEY: "",
  MUSTER_INIT_TABLE_KEY: "",
  MUSTER_ANON_KEY: "",
};

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-start-"));
});

afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

verifies(
  [
    "start.external",
    "start.first.prints-url",
    "start.first.prints-key-once",
    "start.first.prints-set-up-link",
    "start.first.set-up-link-once",
  ],
  "the first start prints the URL and a set-up link, and writes keys to a file; the next no secret",
  async () => {
    const own = await createDatabase();
    const first = await startProcess({ databaseUrl: own.url, env: NOTHING_GIVEN });
    const { stdout } = first.output();
    expect(stdout).toContain(`Muster is ready at ${first.url}\n`);
    expect(stdout).not.toContain("mst_");
    const [, file = ""] = /Wrote the workspace's keys to (\S+);/.exec(stdout) ?? [];
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [, key = ""] = /^MUSTER_API_KEY=(mst_\w+)$/m.exec(await readFile(file, "utf8")) ?? [];
    expect((await apiOf(first, key).get("/api-me")).status).toBe(200);

    const [link = ""] = /http:\S+\/auth\/setup\?token=\w+/.exec(stdout) ?? [];
    const token = new URL(link).searchParams.get("token");
    const account = { token, email: "ada@example.org", password: "correct horse", name: "Ada" };
    const visits = [
      await send("GET", link),
      await send("POST", link, { body: account }),
      await send("POST", link, { body: account }),
      await send("GET", link),
    ];
    expect(visits.map(({ status }) => status)).toEqual([200, 201, 404, 404]);
    expect((await apiOf(first, key).get("/api-me")).body).toMatchObject({ email: "ada@example.org", name: "Ada" });
    await first.stop();

    const second = await startService({ databaseUrl: own.url, env: NOTHING_GIVEN });
    expect(second.output().stdout).toContain(second.url);
    expect(second.output().stdout).not.toMatch(/mst_|setup/);
    expect(second.output().stdout).toContain("Get a key: muster keys create");
    expect((await apiOf(second, key).get("/api-me")).status).toBe(200);
    await second.stop();
    await own.drop();
  },
);

verifies(
  [
    "start.headless.account",
    "start.headless.keys",
    "start.headless.anon-key",
    "start.headless.prints-no-key",
    "start.headless.init-once",
    "accounts.plan.setting",
  ],
  "configured account, workspace, plan and keys are used, not printed, and kept by a later start",
  async () => {
    const keys = createKeys();
    const given = {
      MUSTER_INIT_EMAIL: "grace@example.org",
      MUSTER_INIT_PASSWORD: "correct horse",
      MUSTER_INIT_WORKSPACE: "Harbour",
      DEFAULT_PLAN: "pro",
    };
    const first = await startService({ databaseUrl: database.url, keys, env: given });
    const me = { email: "grace@example.org", workspace_name: "Harbour", plan: "pro" };
    expect((await apiOf(first, keys.api).get("/api-me")).body).toMatchObject(me);
    expect(first.output().stdout).not.toMatch(/mst_|setup|correct horse/);
    await first.stop();

    const others = { ...given, MUSTER_INIT_EMAIL: "eve@example.org", MUSTER_INIT_WORKSPACE: "Other" };
    const second = await startService({ databaseUrl: database.url, keys: createKeys(), env: others });
    expect((await apiOf(second, second.keys.api).get("/api-me")).status).toBe(401);
    expect((await apiOf(second, keys.api).get("/api-me")).body).toMatchObject(me);
    await second.stop();

    const rows = await sql<{ kind: string; key_hash: string }>(
      database.url,
      `select kind, key_hash from api_keys
       union all select key, value from instance_settings where key = 'anon_key_hash'`,
    );
    const stored = Object.fromEntries(rows.map(({ kind, key_hash }) => [kind, key_hash]));
    expect(stored).toEqual({
      envelope: sha256(keys.api),
      table: sha256(keys.table),
      mcp: sha256(keys.mcp),
      a2a: sha256(keys.a2a),
      "ag-ui": sha256(keys.agui),
      anon_key_hash: sha256(keys.anon),
    });
  },
);

verifies(
  ["start.headless.init-json", "start.headless.init-once"],
  "init --json prints its result as JSON, once, and the keys are valid",
  async () => {
    const own = await createDatabase();
    const made = z
      .object({ created: z.literal(true), workspace_id: z.uuid(), api_key: z.string(), agui_key: z.string() })
      .parse(await initAsJson(own.url));
    expect(await initAsJson(own.url)).toEqual({ created: false });
    const service = await startService({ databaseUrl: own.url });
    const { body } = await apiOf(service, made.api_key).get("/api-me");
    expect(body).toMatchObject({ workspace_id: made.workspace_id });
    await service.stop();
    await own.drop();
  },
);

verifies(
  ["operations.migrations.once", "start.first.set-up-link-again"],
  "two processes that start together on an empty database migrate it once and create one workspace",
  async () => {
    const name = `muster_empty_${newId().slice(-12)}`;
    await onServer(inject("serverUrl"), `create database ${name}`);
    const databaseUrl = inDatabase(inject("serverUrl"), name);
    const both = await Promise.all([startService({ databaseUrl }), startPeer({ databaseUrl })]);
    const made = both.filter((service) => service.output().stdout.includes("Created workspace"));
    expect(made).toHaveLength(1);
    const later = both.filter((service) => !made.includes(service)).map((service) => service.output().stdout);
    expect(later).toEqual([expect.stringContaining("Get the link to finish setup: muster setup-link\n")]);
    expect(later.join()).not.toContain("token=");
    const versions = await sql<{ version: number }>(databaseUrl, "select version from schema_migrations order by 1");
    const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith(".sql")).sort();
    expect(versions.map(({ version }) => version)).toEqual(files.map((file) => Number.parseInt(file, 10)));
    expect(await sql(databaseUrl, "select from workspaces")).toHaveLength(1);
    for (const service of both) await service.stop();
    await onServer(inject("serverUrl"), `drop database ${name} with (force)`);
  },
);

verifies("operations.database.awaited", "the start waits for a server that is not running yet", async () => {
  const port = await freePort();
  const line = await openLine(database.url, port);
  line.close();
  const starting = startService({ databaseUrl: line.url });
  await sleep(1_000);
  const later = await openLine(database.url, port);
  const service = await starting;
  await service.stop();
  later.close();
});

verifies(
  ["start.embedded.default", "start.embedded.stops-with-service", "start.embedded.survives-kill"],
  "without DATABASE_URL a database in the data folder starts and stops with the service",
  async () => {
    const data = await mkdtemp(join(tmpdir(), "muster-embedded-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    await chmod(data, 0o755); // As root the database runs under another account, which has to reach its folder.
    const keys = createKeys();
    const start = async () => {
      const service = await startProcess({ databaseUrl: "", keys, env: { DATABASE_URL: "", MUSTER_DATA: data } });
      onTestFinished(() => service.kill());
      return service;
    };
    const first = await start();
    const { body } = await apiOf(first, keys.api).post("/api-agents", { name: "Kept", model: "demo" });
    await first.kill();
    const second = await start();
    expect((await apiOf(second, keys.api).get("/api-agents")).body).toEqual([body]);
    const pidFile = join(data, "postgres/data/postmaster.pid");
    expect(existsSync(pidFile)).toBe(true);
    await second.stop();
    expect(existsSync(pidFile)).toBe(false);
  },
);

verifies("operations.config.env-example", ".env.example is generated from, and lists, all settings", async () => {
  const example = await readFile(join(ROOT, ".env.example"), "utf8");
  expect(example).toBe(envExample(SETTING_GROUPS));
  const source = await readFile(join(ROOT, "src/config/config.ts"), "utf8");
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
  expect(settings.length).toBeGreaterThan(20);
  for (const name of settings) expect(example).toMatch(new RegExp(`^#${name}=`, "m"));
});

/** Initialises an instance in its own process. */
async function initAsJson(databaseUrl: string): Promise<unknown> {
  const code = `const { init } = await import(${JSON.stringify(join(ROOT, "src/service/operator.ts"))}); await init({ json: true });`;
  const env = {
    ...NODE_ENVIRONMENT,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("hex"),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    cwd: folder,
    env,
  });
  return JSON.parse(stdout);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
