import { afterAll, beforeAll, expect } from "vitest";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** The tables of which rows can be deleted, with the statement that makes one. `$1` is a number. */
const ROWS = {
  tasks:
    "insert into tasks (id, workspace_id, title, status) select gen_random_uuid(), id, 'Many', 'completed' from workspaces, generate_series(1, $1)",
  agents:
    "insert into agents (id, workspace_id, name, model, provider) select gen_random_uuid(), w.id, 'Many', 'demo', 'demo' from workspaces w, generate_series(1, $1)",
  voice_profiles:
    "insert into voice_profiles (id, workspace_id, name, tone) select gen_random_uuid(), id, 'Many', 'Formal' from workspaces, generate_series(1, $1)",
} as const;
const COUNT = 30;

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await sql(service.databaseUrl, "create sequence deletions");
  await sql(
    service.databaseUrl,
    `create function count_deletion() returns trigger language plpgsql security definer as
     $$ begin perform nextval('public.deletions'); return null; end $$`,
  );
});
afterAll(() => service.stop());

for (const [table, insert] of Object.entries(ROWS)) {
  verifies("table-api.delete.together", `one statement deletes many rows of ${table}`, async () => {
    await sql(
      service.databaseUrl,
      `create trigger count_deletions after delete on ${table === "tasks" ? "runs" : table} for each statement execute function count_deletion()`,
    );
    await sql(service.databaseUrl, insert, [COUNT]);
    await sql(service.databaseUrl, "select setval('deletions', 1, false)");
    const name = table === "tasks" ? "title" : "name";
    const answer = await rawTable(service, service.keys.table)("DELETE", `/${table}?${name}=eq.Many`, {
      headers: { prefer: "count=exact" },
    });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([204, `*/${COUNT}`]);
    const [next] = await sql<{ n: string }>(service.databaseUrl, "select nextval('deletions') as n");
    expect(next?.n).toBe("2");
  });
}
