import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "..");
/** How much of a failure's message is repeated, in characters; the whole is in the output of vitest. */
const MAX_MESSAGE = 1_500;

/** The part of vitest's JSON report that is read (https://vitest.dev/guide/reporters#json-reporter). */
const report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          tags: z.array(z.string()),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/** Which tests a run takes (vitest.config.ts). */
export interface Selection {
  readonly projects: readonly string[];
  /** Only the tests with the tag `slow`, or only those without it; both when absent. */
  readonly slow?: boolean;
}

/** What one run of vitest found. */
export interface VitestRun {
  readonly passed: number;
  readonly failed: number;
  /** Of the tests that were selected. */
  readonly skipped: number;
  /** Whether vitest ended with 0: no test failed, and nothing outside of the tests. */
  readonly isPassed: boolean;
  readonly failures: readonly Failure[];
}

/** A test that failed, or a file that failed outside its tests. */
export interface Failure {
  /** The file, relative to the root of the repository. */
  readonly file: string;
  /** The file, the test's name and the beginning of the message. */
  readonly text: string;
}

/** Runs vitest; its output goes to this process's. @param args more arguments, such as files */
export function runVitest({ projects, slow }: Selection, args: readonly string[] = []): VitestRun {
  const folder = mkdtempSync(join(tmpdir(), "muster-report-"));
  const file = join(folder, "report.json");
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const isPassed = runNode([
    vitest,
    "run",
    ...projects.map((project) => `--project=${project}`),
    ...(slow === undefined ? [] : [`--tags-filter=${slow ? "slow" : "!slow"}`]),
    ...args,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  const { numPassedTests, numFailedTests, testResults } = report.parse(JSON.parse(readFileSync(file, "utf8")));
  rmSync(folder, { recursive: true });
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    // vitest also reports those as skipped that the filter leaves out.
    skipped: testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, tags }) => status === "skipped" && (slow === undefined || tags.includes("slow") === slow))
      .length,
    isPassed,
    failures: testResults.flatMap(failuresOf),
  };
}

function failuresOf({ name, status, message, assertionResults }: z.output<typeof report>["testResults"][number]) {
  const file = relative(ROOT, name);
  const describe = (title: string, text: string): Failure => ({
    file,
    text: `${title}\n${text.slice(0, MAX_MESSAGE)}`,
  });
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [describe(file, message)] : [];
  return failed.map((test) => describe(`${file} > ${test.fullName}`, test.failureMessages.join("\n")));
}

/** Runs a script with this Node in the root of the repository. @returns whether it ended with 0 */
export function runNode(args: readonly string[]): boolean {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status === 0;
}
