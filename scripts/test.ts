/**
 * Runs everything that proves the program: first the checks, then the tests, and closes with a
 * line that counts them.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
const report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numPendingTests: z.int() });

const checked = run([join(ROOT, "scripts/check.ts")]);
const folder = mkdtempSync(join(tmpdir(), "muster-report-"));
const file = join(folder, "report.json");
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const tested = run([vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]);
const { numPassedTests, numFailedTests, numPendingTests } = report.parse(JSON.parse(readFileSync(file, "utf8")));
rmSync(folder, { recursive: true });

if (!checked) console.log("The checks failed: see above.");
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
process.exitCode = checked && tested ? 0 : 1;

function run(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status === 0;
}
