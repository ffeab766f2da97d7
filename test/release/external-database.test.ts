import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const SECOND = 1_000;

verifies(
  "start.external.same-tests",
  "with TEST_DATABASE_URL the tests run on that server, and on no other",
  () => {
    expect(runTests(inject("serverUrl"))).toBe(0);
    expect(runTests("postgres://nobody@127.0.0.1:1/nothing")).not.toBe(0);
  },
  60 * SECOND,
);

/** Runs one test file that needs a database on a server; returns the exit code. */
function runTests(serverUrl: string): number | null {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "contract", "ag-ui/errors"], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], TEST_DATABASE_URL: serverUrl },
  });
  return status;
}
