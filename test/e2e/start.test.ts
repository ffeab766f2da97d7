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
import { envExample } from "../../scripts/env-example.ts";
import { SETTING_GROUPS } from "../../src/config/config.ts";
import { apiOf, send } from "../support/api.ts";
import { openLine } from "../support/database/database-line.ts";
import { inDatabase, onServer } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { createDatabase, createKeys, startPeer, startProcess, startService } from "../support/service.ts";
import type { StartOptions, TestDatabase, TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { NODE_ENVIRONMENT } from "../support/hosts/node-environment.ts";
import { sql } from "../support/workspace.ts";

const ROOT = join(import.meta.dirname, "../..");
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

const damaged = [
  {
    verifies: "operations.migrations.newer-schema",
    change: "insert into schema_migrations (version, name, checksum) values (999, '0999-later.sql', '')",
    says: /SchemaError: .*version 999.*0999-later\.sql/,
  },
  {
    verifies: "operations.migrations.checksum",
    change: "update schema_migrations set checksum = 'other' where version = 1",
    says: /SchemaError: Migration 0001\S* was changed/,
  },
] as const;

for (const { change, says, ...row } of damaged) {
  verifies(row.verifies, `after "${change}" the start is rejected with the reason`, async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    await sql(own.url, change);
    expect(await refusedStart({ databaseUrl: own.url })).toMatch(says);
  });
}

verifies(
  ["accounts.encryption-key.given", "accounts.encryption-key.fingerprint"],
  "with another encryption key than the database's the start fails with the reason",
  async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    await (await startService({ databaseUrl: own.url })).stop();
    const otherKey = Buffer.alloc(32, 8).toString("base64");
    const output = await refusedStart({ databaseUrl: own.url, env: { ENCRYPTION_KEY: otherKey } });
    expect(output).toMatch(/EncryptionKeyError: .*not the one of this database.*ENCRYPTION_KEY/s);
    expect(output).not.toContain(otherKey);
    await (await startService({ databaseUrl: own.url })).stop();
  },
);

verifies(
  ["accounts.encryption-key.made", "accounts.encryption-key.fingerprint", "start.embedded.data-folder"],
  "without one an encryption key is created in the data folder, for its owner only, and reused",
  async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const env = { ENCRYPTION_KEY: "", MUSTER_DATA: folder };
    await (await startService({ databaseUrl: own.url, env })).stop();
    const path = join(folder, "encryption.key");
    const made = await readFile(path, "utf8");
    expect(Buffer.from(made, "base64")).toHaveLength(32);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await (await startService({ databaseUrl: own.url, env })).stop();
    expect(await readFile(path, "utf8")).toBe(made);
    const elsewhere = { ...env, MUSTER_DATA: join(folder, "elsewhere") };
    expect(await refusedStart({ databaseUrl: own.url, env: elsewhere })).toContain("EncryptionKeyError");
    expect(existsSync(join(folder, "elsewhere", "encryption.key")), "a rejected start makes no key").toBe(false);
  },
);

verifies(
  "operations.database.named",
  "a database that cannot be used is named by its setting, without its password",
  async () => {
    const mysql = await refusedStart({ databaseUrl: "mysql://somebody:hush-hush@127.0.0.1/muster" });
    expect(mysql).toMatch(/ConfigError: .*DATABASE_URL is a URL such as postgresql:/s);
    const absent = new URL(database.url);
    absent.pathname = "/not-there";
    const output = await refusedStart({ databaseUrl: absent.href });
    expect(output).toMatch(
      /DatabaseUnreachableError: DATABASE_URL: PostgreSQL at .* refuses the connection: .*does not exist/,
    );
    expect(mysql + output).not.toContain("hush-hush");
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
  ["operations.config.checked-at-start", "operations.config.no-secret-shown"],
  "settings of the wrong form end the start with their names and what is allowed, without secrets",
  async () => {
    const secrets = { MUSTER_INIT_API_KEY: "hush-hush-not-a-key", ENCRYPTION_KEY: "aHVzaC1odXNo" };
    const { MUSTER_INIT_API_KEY } = secrets;
    const env = {
      PORT: "many",
      PUBLIC_URL: "localhost:4400",
      LOG_LEVEL: "loud",
      DATABASE_POOL: "1",
      MUSTER_INIT_API_KEY,
    };
    const output = await refusedStart({ databaseUrl: database.url, env });
    expect(output).toMatch(
      /ConfigError: .*PORT must be a number.*PUBLIC_URL must be a URL such as https:.*LOG_LEVEL must be one of .*trace.*DATABASE_POOL must be at least 2.*MUSTER_INIT_API_KEY: begins with mst_/s,
    );
    const short = await refusedStart({ databaseUrl: database.url, env: { ENCRYPTION_KEY: secrets.ENCRYPTION_KEY } });
    expect(short).toMatch(/ENCRYPTION_KEY must hold 32 bytes/);
    for (const secret of Object.values(secrets)) expect(output + short).not.toContain(secret);
  },
);

verifies(
  ["operations.logs.request", "operations.logs.no-secrets", "keys.never-logged"],
  "each request is logged with method, path, status, duration and id, and no credential is",
  async () => {
    const own = await createDatabase();
    const env = { LOG_LEVEL: "trace", MUSTER_INIT_PASSWORD: "correct horse", OPENAI_API_KEY: "sk-instance-secret" };
    const service = await startService({ databaseUrl: own.url, env });
    const api = apiOf(service, service.keys.api);
    const good = await api.get("/api-me?with=query");
    const bad = await apiOf(service, "mst_wrong-key-0123456789").get("/api-agents");
    await service.stop();
    await own.drop();

    const { stdout, stderr } = service.output();
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => logLine.parse(JSON.parse(line)));
    const requests = lines.filter(({ msg }) => msg === "request");
    const expected = { method: "GET", duration_ms: expect.any(Number) };
    expect(requests).toMatchObject([
      { ...expected, path: "/functions/v1/api-me", status: 200, request_id: good.headers.get("x-request-id") },
      { ...expected, path: "/functions/v1/api-agents", status: 401, request_id: bad.headers.get("x-request-id") },
    ]);
    const secrets = [...Object.values(service.keys), "correct horse", "sk-instance-secret", "wrong-key-0123456789"];
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  },
);

verifies("operations.logs.probes", "requests of probes are not logged at the level info, all others are", async () => {
  const own = await createDatabase();
  const service = await startService({ databaseUrl: own.url, env: { LOG_LEVEL: "info" } });
  const paths = ["/healthz", "/readyz", "/version"];
  for (const path of paths) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
  await service.stop();
  await own.drop();
  const { stderr } = service.output();
  expect(stderr).toContain('"path":"/version"');
  for (const path of ["/healthz", "/readyz"]) expect(stderr).not.toContain(`"path":"${path}"`);
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

const logLine = z.looseObject({ msg: z.string() });

/** What a start writes that is rejected. @throws Error when it is not. */
async function refusedStart(options: StartOptions): Promise<string> {
  let service: TestService;
  try {
    service = await startService(options);
  } catch (error) {
    return String(error);
  }
  await service.stop();
  throw new Error("The service started though it should not.");
}

/** Initialises an instance in its own process. */
async function initAsJson(databaseUrl: string): Promise<unknown> {
  const code = `const { init } = await import(${JSON.stringify(join(ROOT, "src/operator.ts"))}); await init({ json: true });`;
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
