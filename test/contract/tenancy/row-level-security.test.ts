import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceIn } from "#domain/access/role.ts";
import { openDatabase } from "#db/open-database.ts";
import { Statement } from "#db/statement.ts";
import { TABLE_CHECKS } from "#tenancy/check-tables.ts";
import { inScratch } from "#tenancy/scratch.ts";
import { rowsOfWorkspace, tenantTables } from "#tenancy/tenant-tables.ts";
import { fillSide } from "../../support/tenancy/same-sides.ts";
import type { SameSide } from "../../support/tenancy/same-sides.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const [withoutWorkspace, ofAnother, writesToAnother, ofLimitedKeys] = TABLE_CHECKS;

let service: TestService;
let first: SameSide;
let second: SameSide;
let client: Client;

beforeAll(async () => {
  service = await startService();
  const [own] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  first = await fillSide(service, { key: service.keys.api, workspaceId: own?.id ?? "" });
  second = await fillSide(service, await addWorkspace(service.databaseUrl));
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});
/** Runs as the role of requests, in a workspace or in none, and takes everything back. */
async function asApp<T>(workspaceId: string | undefined, run: () => Promise<T>, role = "muster_app"): Promise<T> {
  await client.query(`begin; set local role ${role}`);
  if (workspaceId !== undefined) await client.query(`set local muster.workspace_id = '${workspaceId}'`);
  try {
    return await run();
  } finally {
    await client.query("rollback");
  }
}

async function column(text: string, values: readonly unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ value: string }>(text, [...values]);
  return rows.map(({ value }) => value);
}

async function refusedCode(statement: string): Promise<string | undefined> {
  try {
    await client.query(statement);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "?";
  }
}

verifies("tenancy.rls.policies", "every table has row-level security, those with a workspace a policy", async () => {
  const open = await column(
    `select relname as value from pg_class where relnamespace = 'public'::regnamespace
     and relkind in ('r', 'p') and not relrowsecurity and relname <> 'schema_migrations'`,
  );
  expect(open.filter((name) => !name.includes("migration"))).toEqual([]);
  const policed = await column(
    `select tablename as value from pg_policies where schemaname = 'public'
     and qual like '%current_workspace_id()%' and cmd = 'ALL' and permissive = 'PERMISSIVE'`,
  );
  const tables = (await tenantTables(client)).filter(({ isView }) => !isView).map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(["agents", "api_keys", "members", "runs", "usage_records"]));
  expect(policed).toEqual(expect.arrayContaining([...tables, "workspaces"]));
  const views = await column(
    `select relname as value from pg_class
     where relnamespace in ('public'::regnamespace, 'table_api'::regnamespace) and relkind = 'v'
     and not coalesce(reloptions @> array['security_invoker=true'], false)`,
  );
  // The one view that reaches across the wall; marketplace.test.ts checks what it shows.
  expect(views).toEqual(["marketplace_agents"]);
});

verifies("tenancy.rls.role", "the roles of requests own nothing and have no power of their own", async () => {
  const { rows } = await client.query(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
       (select count(*)::integer from pg_class where relowner = r.oid) as owns,
       (select array_agg(roleid::regrole::text) from pg_auth_members where member = r.oid) as inherits
     from pg_roles r where rolname in
       ('muster_viewer', 'muster_app', 'muster_admin', 'muster_reach_viewer', 'muster_reach_app') order by rolname desc`,
  );
  const powerless = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolcanlogin: false,
    rolreplication: false,
    owns: 0,
  };
  expect(rows).toEqual([
    { ...powerless, inherits: null },
    { ...powerless, inherits: null },
    { ...powerless, inherits: ["muster_reach_viewer"] },
    { ...powerless, inherits: ["muster_viewer"] },
    { ...powerless, inherits: ["muster_app"] },
  ]);
});

verifies("tenancy.rls.role", "requests succeed or fail by the rights of those roles", async () => {
  // What muster_app was granted by name, and what it inherits.
  await client.query("revoke select on agents from muster_app, muster_viewer");
  try {
    expect((await first.api.get("/api-agents")).status).toBe(500);
    expect((await first.api.get("/api-tasks")).status).toBe(200);
  } finally {
    await client.query("grant select on agents to muster_app, muster_viewer");
  }
  expect((await first.api.get("/api-agents")).status).toBe(200);
});

verifies("tenancy.rls.partitions", "no role of requests reaches a partition but through its table", async () => {
  const partitions = await column(
    `select oid::regclass::text as value from pg_class
     where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  expect(partitions).toEqual(
    expect.arrayContaining(["task_events_first", "task_event_pages_other", "run_steps_other"]),
  );
  const columns = "workspace_id, attempt, created_at";
  for (const partition of partitions) {
    for (const role of ["muster_viewer", "muster_app", "muster_admin"]) {
      for (const statement of [
        `select ${columns} from ${partition}`,
        `insert into ${partition} (${columns}) values ('${first.workspaceId}', 1, now())`,
        `delete from ${partition}`,
      ]) {
        const refused = await asApp(first.workspaceId, () => refusedCode(statement), role);
        expect([role, statement, refused]).toEqual([role, statement, "42501"]);
      }
    }
  }
});

test("the scratch workspaces have a row of every table", async () => {
  await inScratch(client, async ({ own, other, tables }) => {
    for (const table of tables) {
      for (const side of [own, other]) {
        const { rowCount } = await client.query(`select from ${table} where ${rowsOfWorkspace(table, side)}`);
        expect([table, rowCount]).not.toEqual([table, 0]);
      }
    }
  });
});

verifies(
  ["tenancy.rls.no-workspace-no-rows", "tenancy.rls.reach", "tenancy.rls.role"],
  "without a workspace no role sees a row, limited keys see none without a reach, viewers write none",
  async () => {
    await inScratch(client, async (sides) => {
      expect(await withoutWorkspace.find(sides)).toEqual([]);
      expect(await ofLimitedKeys.find(sides)).toEqual([]);
    });
  },
);

verifies(
  ["tenancy.rls.policies", "tenancy.rls.foreign-write-refused", "auth.workspace-isolation"],
  "in a workspace each role sees and changes rows of that workspace only",
  async () => {
    await inScratch(client, async (sides) => {
      expect(await ofAnother.find(sides)).toEqual([]);
      expect(await writesToAnother.find(sides)).toEqual([]);
    });
  },
);

verifies("tenancy.rls.no-cross-references", "every reference between tenants' tables holds the workspace", async () => {
  const loose = await column(
    `select format('%s: %s', c.conrelid::regclass, pg_get_constraintdef(c.oid)) as value
     from pg_constraint c
     join pg_attribute mine on mine.attrelid = c.conrelid and mine.attname = 'workspace_id'
     join pg_attribute theirs on theirs.attrelid = c.confrelid and theirs.attname = 'workspace_id'
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
       and not (mine.attnum = any(c.conkey) and theirs.attnum = any(c.confkey))`,
  );
  expect(loose).toEqual([]);
  const point = `update tasks set assigned_agent_id = '${second.agentId}' where id = '${first.taskId}'`;
  expect(await asApp(first.workspaceId, () => refusedCode(point))).toBe("23503");
  // References without a constraint: a row that names another workspace's task is rejected nevertheless.
  const event = `insert into task_events (log_id, seq, workspace_id, attempt, event)
      values ('${second.taskId}', 1000000, '${first.workspaceId}', 1, '{}')`;
  expect(await asApp(first.workspaceId, () => refusedCode(event))).toMatch(/^(23503|42501)$/);
});

verifies(
  "tenancy.engine-schema-closed",
  "the role of requests cannot touch the engine's tables of processes",
  async () => {
    for (const table of ["executors", "keeper", "instance_settings"]) {
      for (const statement of [`select from ${table}`, `delete from ${table}`]) {
        expect([statement, await asApp(first.workspaceId, () => refusedCode(statement))]).toEqual([statement, "42501"]);
      }
    }
  },
);

verifies("tenancy.rls.per-transaction", "a connection's workspace is reset after each transaction", async () => {
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const where = new Statement<{ role: string; workspace: string }>({
    name: "where-am-i",
    text: `select current_user as role, coalesce(current_setting('muster.workspace_id', true), '') as workspace`,
  });
  const broken = new Statement({ name: "broken", text: "select 1 / 0" });
  try {
    const [outside] = await db.query<{ role: string; workspace: string }>(where);
    expect(outside).toMatchObject({ workspace: "" });
    for (const side of [first, second]) {
      const inside = [{ role: "muster_app", workspace: side.workspaceId }];
      expect(await db.inWorkspace(serviceIn(side.workspaceId)).query(where)).toEqual(inside);
      expect(await db.query(where)).toEqual([outside]);
      expect(await db.inWorkspace(serviceIn(side.workspaceId)).transaction((tx) => tx.query(where))).toEqual(inside);
      expect(await db.query(where)).toEqual([outside]);
      await expect(db.inWorkspace(serviceIn(side.workspaceId)).transaction((tx) => tx.query(broken))).rejects.toThrow(
        "division by zero",
      );
      expect(await db.query(where)).toEqual([outside]);
      await expect(db.inWorkspace(serviceIn(side.workspaceId)).query(broken)).rejects.toThrow("division by zero");
      expect(await db.query(where)).toEqual([outside]);
    }
  } finally {
    await db.close();
  }
});
