import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, inject } from "vitest";
import { z } from "zod";
import type { Tenant } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import { readConfig } from "../../../src/config/config.ts";
import { openInstance } from "../../../src/service/instance.ts";
import type { Instance } from "../../../src/service/instance.ts";
import { inDatabase, onServer } from "../../support/database.ts";
import { ENCRYPTION_KEY, createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** PostgreSQL 15 says the second of programs, files and superusers. */
const PRIVILEGE = /permission denied|must be superuser/;
/** What an injected statement would try once it has put the tenant's role away; none may succeed. */
const ATTACKS = [
  "select pg_read_file('/etc/hostname')",
  "select * from tasks",
  "select * from instance_settings",
  "select rolpassword from pg_authid",
  "copy (select 1) to program 'true'",
  "create temporary table mine (id integer)",
  "create table mine (id integer)",
  "create extension dblink",
  "alter role muster_app superuser",
];

const log = pino({ level: "silent" });
const tenant: Tenant = { workspaceId: newId(), role: "owner" };
const rows = z.array(z.object({ name: z.string() }));

let database: TestDatabase;
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "muster-roles-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createDatabase();
  return () => database.drop();
});

function open(env: Readonly<Record<string, string>>): Promise<Instance> {
  return openInstance(readConfig({ ENCRYPTION_KEY, MUSTER_DATA: folder, ...env }), log);
}

async function withInstance<T>(
  env: Readonly<Record<string, string>>,
  use: (instance: Instance) => Promise<T>,
): Promise<T> {
  const instance = await open(env);
  return use(instance).finally(() => instance.close());
}

/** Runs statements on a connection of requests, in one transaction. */
function onRequestConnection({ db }: Instance, ...statements: readonly string[]) {
  return db.inWorkspace(tenant).transaction(async (tx) => {
    let found: unknown[] = [];
    for (const text of statements) found = await tx.queryOnce({ text, values: [], timeoutMs: 10_000 });
    return found;
  });
}

async function roleOf(instance: Instance): Promise<string> {
  const [row] = rows.parse(await onRequestConnection(instance, "select session_user::text as name"));
  return row?.name ?? "";
}

/** A role that may log in, with these further words, and the address with it. */
async function makeRole(words: string): Promise<{ readonly name: string; readonly url: string }> {
  const name = `muster_test_${randomBytes(6).toString("hex")}`;
  await onServer(inject("serverUrl"), `create role ${name} login password 'test' ${words}`);
  const url = new URL(database.url);
  url.username = name;
  url.password = "test";
  return { name, url: url.href };
}

verifies("tenancy.requests.own-role", "no statement of a request gets more than the rights of tenants", async () => {
  const [owner] = rows.parse(await sql(database.url, "select current_user::text as name"));
  await withInstance({ DATABASE_URL: database.url }, async (instance) => {
    expect(instance.notices).toEqual([]);
    expect(await roleOf(instance)).toMatch(/^muster_requests_\d+$/);
    for (const attack of [
      `set role ${owner?.name ?? ""}`,
      `set session authorization ${owner?.name ?? ""}`,
      ...ATTACKS,
    ]) {
      const attempt = onRequestConnection(instance, "reset role", attack);
      await expect(attempt, attack).rejects.toThrow(PRIVILEGE);
    }
    expect(await onRequestConnection(instance, "set local role muster_viewer", "select * from tasks")).toEqual([]);
  });
  // A second start gives the same role the same password.
  await withInstance({ DATABASE_URL: database.url }, async (again) => {
    expect(again.notices).toEqual([]);
  });
});

verifies(
  "tenancy.requests.own-role",
  "the embedded database has such a role as well",
  async () => {
    const own = await mkdtemp(join(tmpdir(), "muster-own-"));
    try {
      await withInstance({ MUSTER_DATA: own }, async (instance) => {
        expect(await roleOf(instance)).toMatch(/^muster_requests_\d+$/);
        await expect(onRequestConnection(instance, "reset role", "set role postgres")).rejects.toThrow(PRIVILEGE);
      });
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  },
  { tags: "slow" },
);

verifies(
  "tenancy.requests.plain-owner",
  "an owner that is no superuser creates it, too",
  async () => {
    const owner = await makeRole("createrole");
    await ownDatabase(owner);
    await withInstance({ DATABASE_URL: owner.url }, async (instance) => {
      expect(instance.notices).toEqual([]);
      expect(await roleOf(instance)).toMatch(/^muster_requests_\d+$/);
      await expect(onRequestConnection(instance, "reset role", `set role ${owner.name}`)).rejects.toThrow(PRIVILEGE);
    });
  },
  { tags: "slow" },
);

verifies(
  "tenancy.requests.weaker",
  "where no role can be created, a warning states what to do",
  async () => {
    const owner = await makeRole("");
    await ownDatabase(owner);
    await withInstance({ DATABASE_URL: owner.url }, async (instance) => {
      expect(await roleOf(instance)).toBe(owner.name);
      expect(instance.notices).toEqual([
        expect.stringMatching(/log in as the role of DATABASE_URL.*permission denied.*set DATABASE_REQUEST_URL/),
      ]);
    });
    const requests = await makeRole("noinherit");
    const env = { DATABASE_URL: owner.url, DATABASE_REQUEST_URL: requests.url };
    await expect(open(env)).rejects.toThrow(/not a member of muster_viewer, muster_app, muster_admin.*GRANT .* TO/);
    await onServer(
      inject("serverUrl"),
      `grant muster_viewer, muster_app, muster_admin, muster_reach_viewer, muster_reach_app to ${requests.name}`,
    );
    await withInstance(env, async (instance) => {
      expect(instance.notices).toEqual([]);
      expect(await roleOf(instance)).toBe(requests.name);
    });
    await onServer(inject("serverUrl"), `grant pg_read_server_files to ${requests.name}`);
    await withInstance(env, async (instance) => {
      expect(instance.notices).toEqual([expect.stringContaining("is a member of pg_read_server_files")]);
    });
  },
  { tags: "slow" },
);

verifies(
  "tenancy.requests.public",
  "no function of a trigger can be executed by all roles, nor a table be temporary",
  async () => {
    await withInstance({ DATABASE_URL: database.url }, async () => undefined);
    const granted = await sql(
      database.url,
      `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
       and has_function_privilege('public', oid, 'execute')
     union all select 'temporary' where has_database_privilege('public', current_database(), 'temporary')`,
    );
    expect(granted).toEqual([]);
  },
);

/** Makes a role the owner of the database and of all that is in it, as one is that has made it. */
async function ownDatabase({ name }: { readonly name: string }): Promise<void> {
  const server = inject("serverUrl");
  const databaseName = new URL(database.url).pathname.slice(1);
  await onServer(
    server,
    `grant muster_viewer, muster_app, muster_admin, muster_reach_viewer, muster_reach_app to ${name} with admin option`,
  );
  await onServer(server, `drop database ${databaseName}`);
  await onServer(server, `create database ${databaseName} owner ${name}`);
  expect(inDatabase(server, databaseName)).toBe(database.url);
}
