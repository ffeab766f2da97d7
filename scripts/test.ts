/**
 * Runs what proves the program, in the parts that are named: `tests` (the default) are the checks and then all tests
 * but the soak; `soak` are series of faults, load and long waits, one file after another. Closes with a line that counts
 * them.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
/** The vitest projects of each part. */
const PARTS = z.enum(["tests", "soak"]);
const PROJECTS = { tests: ["unit", "contract", "e2e", "browser"], soak: ["soak"] } as const;
const report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numPendingTests: z.int() });

const parts = z.array(PARTS).parse(process.argv.slice(2));
const results = (parts.length === 0 ? (["tests"] as const) : parts).map(runPart);
const sum = (count: keyof Counts) => results.reduce((total, result) => total + result[count], 0);
if (results.some(({ isChecked }) => !isChecked)) console.log("The checks failed: see above.");
const skipped = sum("skipped") === 0 ? "" : ` (${sum("skipped")} skipped)`;
console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped}`);
process.exitCode = results.every(({ isChecked, isPassed }) => isChecked && isPassed) ? 0 : 1;

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Result extends Counts {
  readonly isChecked: boolean;
  readonly isPassed: boolean;
}

function runPart(part: z.output<typeof PARTS>): Result {
  const isChecked = part !== "tests" || run([join(ROOT, "scripts/check.ts")]);
  const folder = mkdtempSync(join(tmpdir(), "muster-report-"));
  const file = join(folder, "report.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const projects = PROJECTS[part].map((project) => `--project=${project}`);
  const isPassed = run([
    vitest,
    "run",
    ...projects,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  const counts = report.parse(JSON.parse(readFileSync(file, "utf8")));
  rmSync(folder, { recursive: true });
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = counts;
  return { isChecked, isPassed, passed, failed, skipped };
}

function run(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status === 0;
}
