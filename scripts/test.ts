/**
 * Runs what proves the program, in the parts that are named: `tests` (the default) are the checks and then all tests
 * but the soak; `soak` are series of faults, load and long waits, one file after another. Closes with the tests that
 * failed in any part, so that the end of the output says why, and with a line that counts all.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
/** The vitest projects of each part. */
const PARTS = z.enum(["tests", "soak"]);
const PROJECTS = { tests: ["unit", "contract", "e2e", "browser"], soak: ["soak"] } as const;
/** How much of a failure's message the end repeats, in characters; the whole is further up. */
const MAX_MESSAGE = 1_500;
/** The part of vitest's JSON report that is read (https://vitest.dev/guide/reporters#json-reporter). */
const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

const parts = z.array(PARTS).parse(process.argv.slice(2));
const results = (parts.length === 0 ? (["tests"] as const) : parts).map(runPart);
const sum = (count: keyof Counts) => results.reduce((total, result) => total + result[count], 0);
for (const failure of results.flatMap(({ failures }) => failures)) console.log(failure);
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
  /** A text for each test that failed, and for each file that failed outside its tests. */
  readonly failures: readonly string[];
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
  const outcome = report.parse(JSON.parse(readFileSync(file, "utf8")));
  rmSync(folder, { recursive: true });
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = outcome;
  return { isChecked, isPassed, passed, failed, skipped, failures: describeFailures(outcome) };
}

function describeFailures({ testResults }: z.output<typeof report>): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0) return status === "failed" ? [describe(file, message)] : [];
    return failed.map((test) => describe(`${file} > ${test.fullName}`, test.failureMessages.join("\n")));
  });
}

function describe(title: string, message: string): string {
  return `\nFailed: ${title}\n${message.slice(0, MAX_MESSAGE)}`;
}

function run(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status === 0;
}
