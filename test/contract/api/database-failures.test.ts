import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: "warn" } });
});
afterAll(() => service.stop());

verifies("operations.outage.disk-full", "a full disk of the database has its own error code on both APIs", async () => {
  // What PostgreSQL says when it cannot extend a file (SQLSTATE disk_full).
  await sql(
    service.databaseUrl,
    `create function no_space() returns trigger language plpgsql as $$
     begin raise exception using errcode = '53100', message = 'could not extend file "base/5/1": No space left'; end $$`,
  );
  await sql(service.databaseUrl, "create trigger no_space before insert on agents execute function no_space()");
  const agent = { name: "A", model: "demo" };
  const refused = await apiOf(service, service.keys.api).post("/api-agents", agent);
  expect(refusal(refused)).toMatchObject({ status: 503, code: "storage_full" });
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refused.text).not.toContain("base/5");
  const [own] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  const row = await rawTable(service)("POST", "/agents", { body: { ...agent, workspace_id: own?.id } });
  expect([row.status, row.body]).toMatchObject([503, { code: "53100" }]);
  await sql(service.databaseUrl, "drop trigger no_space on agents");
  expect((await apiOf(service, service.keys.api).post("/api-agents", agent)).status).toBe(201);
});

verifies(
  "operations.outage.unavailable",
  "a database without memory, or with an unreadable file, is a 503",
  async () => {
    for (const state of ["53200", "58030"]) {
      await sql(
        service.databaseUrl,
        `create function fail() returns trigger language plpgsql as
         $$ begin raise exception using errcode = '${state}', message = 'base/5/1 failed'; end $$;
       create trigger fail before insert on agents execute function fail()`,
      );
      const refused = await apiOf(service, service.keys.api).post("/api-agents", { name: "A", model: "demo" });
      expect(refusal(refused)).toMatchObject({ status: 503, code: "unavailable" });
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(refused.text).not.toContain("base/5");
      await sql(service.databaseUrl, "drop trigger fail on agents; drop function fail");
    }
  },
);

verifies(
  "operations.outage.logged-once",
  "the requests of one outage share a line of the log, without a stack",
  async () => {
    await sql(
      service.databaseUrl,
      `create function fail() returns trigger language plpgsql as
       $$ begin raise exception using errcode = '40P01', message = 'a deadlock'; end $$;
     create trigger fail before insert on agents execute function fail()`,
    );
    const api = apiOf(service, service.keys.api);
    for (let request = 0; request < 3; request++) {
      expect((await api.post("/api-agents", { name: "A", model: "demo" })).status).toBe(503);
    }
    await sql(service.databaseUrl, "drop trigger fail on agents; drop function fail");
    const lines = await eventually("the outage is logged", () => {
      const found = service
        .output()
        .stderr.split("\n")
        .filter((line) => line.includes("Other requests are changing"));
      return found.length > 0 && found;
    });
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      expect.objectContaining({ reason: "40P01: a deadlock", requestId: expect.any(String), level: 40 }),
    ]);
    expect(lines.join()).not.toMatch(/stack|\bat /);
  },
);
