import { afterAll, beforeAll, expect } from "vitest";
import { findTableScans } from "../../support/database/find-table-scans.ts";
import { createDatabase } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

/** A table of one row, and one whose rows are soon added up and deleted. */
const SHORT = new Set(["usage_sums", "run_ends"]);
/** Statements that the service executes for all workspaces. */
const OF_SERVICE = new Set([
  "any-workspace",
  "count-jobs",
  "delete-free-files",
  "due-tasks",
  "doctor-lost-mcp-accounts",
  "doctor-unknown-workspaces",
  "expired-questions",
  "find-mapped-workspaces",
  "find-workspace-by-slug",
  "is-first-workspace",
  "list-abandoned-remote-calls",
  "list-all-workspaces",
  "list-tenants",
  "lock-expired-runs",
  "lock-instance-workspace",
  "lock-workspace",
  "next-due",
  "owns-first-workspace",
  "poll-queue",
  "server-figures",
  "stop-jobs-of-workspace",
  "workspace-to-move",
]);
/** In an empty table, PostgreSQL prefers their shorter index, of files without an owner. */
const OF_FREE_FILES = new Set(["link-files-to-run", "link-files-to-task"]);

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

verifies("tenancy.statements.indexed", "no statement in a workspace reads a table of all workspaces", async () => {
  const scans = (await findTableScans(database.url)).filter((scan) => {
    const [statement = "", table = ""] = scan.split(": ");
    const isShort = SHORT.has(table) || table.startsWith("pg_");
    return !isShort && !OF_SERVICE.has(statement) && !OF_FREE_FILES.has(statement);
  });
  expect(scans).toEqual([]);
});
