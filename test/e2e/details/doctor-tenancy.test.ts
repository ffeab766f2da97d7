import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const MINUTES = 600_000;
/**
 * What a service writes by itself, at any time; contents of files that it deletes soon; the sign-ins that it counts for
 * some minutes; and the key that it makes when a page first asks for it.
 */
const LIVING = ["executors", "keeper", "unreferenced_blobs", "instance_settings", "sign_in_attempts", "vapid_keys"];
/** No service answers there. */
const NOWHERE = ["--url", "http://127.0.0.1:1"];

const finding = z.object({
  check: z.string(),
  outcome: z.enum(["ok", "warning", "failed", "skipped"]),
  text: z.string(),
  remedy: z.string().optional(),
});

let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  // With the usual limits: an installation has no others.
  service = await startService({ env: { SIGN_UP: "open", RATE_LIMIT_ENTERPRISE: "", RATE_LIMIT_PERSON: "" } });
  env = {
    DATABASE_URL: service.databaseUrl,
    MUSTER_DATA: service.folder,
    ENCRYPTION_KEY,
    MUSTER_ANON_KEY: service.keys.anon,
  };
});
afterAll(() => service.stop());

async function examine(...args: readonly string[]) {
  const run = await runMuster(["doctor", "--tenancy", "--json", ...args], { input: "", env });
  expect(run.stderr).toBe("");
  const found = z.array(finding).parse(JSON.parse(run.stdout));
  return { code: run.code, found, byCheck: new Map(found.map((each) => [each.check, each])) };
}

/** All rows of the database that a service does not write by itself. */
async function everyRow(): Promise<readonly string[]> {
  const tables = await sql<{ name: string }>(
    service.databaseUrl,
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all ($1)`,
    [LIVING],
  );
  const text = tables
    .map(({ name }) => `select '${name} ' || to_jsonb(t)::text as row from ${name} t`)
    .join(" union all ");
  return (await sql<{ row: string }>(service.databaseUrl, `select row from (${text}) r order by row`)).map(
    ({ row }) => row,
  );
}

/** What the database has more, or no longer has. */
async function leftSince(before: readonly string[]): Promise<readonly string[]> {
  const after = await everyRow();
  return [...after.filter((row) => !before.includes(row)), ...before.filter((row) => !after.includes(row))];
}

function scratchPeople(): Promise<readonly object[]> {
  return sql(service.databaseUrl, "select from users where email like '%@tenancy.muster.invalid'");
}

/** Starts an examination, and waits until it asks the service. */
async function startExamination() {
  const running = startMuster(["doctor", "--tenancy"], { env });
  await eventually("the scratch workspaces are made", async () => (await scratchPeople()).length > 0);
  return running;
}

verifies(
  "cli.doctor.tenancy",
  "a sound installation passes, at a running service, and not one row is left of the examination",
  async () => {
    const before = await everyRow();
    const { code, found } = await examine();
    expect(found.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
    expect(found.map(({ check }) => check)).toEqual([
      "database",
      "rights of roles",
      "rights of views",
      "tables without a workspace",
      "tables of another workspace",
      "writes to another workspace",
      "tables of limited keys",
      "routes with ids of another workspace",
      "routes without ids",
      "routes without a key",
      "scratch workspaces",
    ]);
    expect(code).toBe(0);
    expect(await leftSince(before)).toEqual([]);
  },
  MINUTES,
);

verifies(
  "cli.doctor.tenancy",
  "each sabotage is named with its table and its role, and without a service the routes are skipped",
  async () => {
    const sabotages = [
      ["alter table voice_profiles disable row level security", "alter table voice_profiles enable row level security"],
      ["create policy open on output_templates using (true)", "drop policy open on output_templates"],
      ["grant update on usage_records to muster_app", "revoke update on usage_records from muster_app"],
      ["alter view tasks reset (security_invoker)", "alter view tasks set (security_invoker = true)"],
    ] as const;
    for (const [sabotage] of sabotages) await sql(service.databaseUrl, sabotage);
    const { code, byCheck } = await examine(...NOWHERE);
    const told = (check: string) => byCheck.get(check)?.text;
    expect(told("rights of roles")).toBe("not of this version: grant update on usage_records to muster_app.");
    expect(told("rights of views")).toContain("tasks shows its callers");
    for (const check of ["tables without a workspace", "tables of another workspace"]) {
      expect(told(check)).toContain("muster_app sees rows of output_templates");
      expect(told(check)).toContain("muster_viewer sees rows of voice_profiles");
      expect(told(check)).not.toContain("usage_records");
    }
    expect(told("writes to another workspace")).toContain(
      "muster_app can delete, change, add, move rows of voice_profiles",
    );
    expect(byCheck.get("routes without a key")).toMatchObject({
      outcome: "skipped",
      text: "Only the database was checked: no service answers that uses it.",
    });
    expect(code).toBe(2);
    for (const [, repair] of sabotages) await sql(service.databaseUrl, repair);
    const repaired = await examine(...NOWHERE);
    expect([repaired.code, repaired.found.filter(({ outcome }) => outcome === "failed")]).toEqual([0, []]);
  },
  MINUTES,
);

verifies(
  "cli.doctor.tenancy",
  "Ctrl-C removes the scratch workspaces, and the next run removes what a killed one has left",
  async () => {
    const stopped = await startExamination();
    stopped.process.kill("SIGINT");
    expect((await stopped.ended).code).toBe(130);
    expect(await scratchPeople()).toEqual([]);

    const killed = await startExamination();
    killed.process.kill("SIGKILL");
    await killed.ended;
    expect(await scratchPeople()).not.toEqual([]);
    const next = await eventually("its connection has ended", async () => {
      const { byCheck } = await examine(...NOWHERE);
      const last = byCheck.get("scratch workspaces");
      return last?.outcome === "ok" && last;
    });
    expect(next.text).toMatch(/^They are removed\. So are \d+ that an earlier run had left\.$/);
    expect(await scratchPeople()).toEqual([]);
  },
  MINUTES,
);
