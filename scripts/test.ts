/**
 * Runs what proves the program, in the parts that are named: `tests` (the default) are the checks and then what each
 * commit is tested by; `details` are the console's finer points in a browser; `soak` are series of faults, load and
 * long waits, one file after another.
 *
 * A few failed files are repeated alone, because they run side by side and a busy machine can delay any of them. What
 * passes then counts as passed and is listed as unsteady. A failure of `soak` is a finding: never repeated.
 *
 * Closes with the failures of all parts, so that the end of the output says why, and with a line that counts the tests.
 */
import { z } from "zod";
import { runNode, runVitest } from "./vitest-run.ts";
import type { Failure, VitestRun } from "./vitest-run.ts";

/** The vitest projects of each part. */
const PARTS = z.enum(["tests", "details", "soak"]);
const PROJECTS = {
  tests: ["unit", "contract", "e2e", "browser"],
  details: ["details"],
  soak: ["soak"],
} as const;
/** The number of failed files that are repeated; more are no chance. */
const MAX_REPEATED = 3;

interface Result extends VitestRun {
  readonly isChecked: boolean;
  /** The failures that did not repeat. */
  readonly unsteady: readonly Failure[];
}

const parts = z.array(PARTS).parse(process.argv.slice(2));
const results = (parts.length === 0 ? (["tests"] as const) : parts).map(runPart);
const sum = (count: "passed" | "failed" | "skipped") => results.reduce((total, result) => total + result[count], 0);
const unsteady = results.flatMap((result) => result.unsteady);
for (const { text } of unsteady) console.log(`\nUnsteady, passed when repeated: ${text}`);
for (const { text } of results.flatMap(({ failures }) => failures)) console.log(`\nFailed: ${text}`);
if (results.some(({ isChecked }) => !isChecked)) console.log("The checks failed: see above.");
console.log(
  `${sum("passed")} passed, ${sum("failed")} failed (${sum("skipped")} skipped, ${unsteady.length} unsteady)`,
);
process.exitCode = results.every(({ isChecked, isPassed }) => isChecked && isPassed) ? 0 : 1;

function runPart(part: z.output<typeof PARTS>): Result {
  const isChecked = part !== "tests" || runNode(["scripts/check.ts"]);
  const projects = PROJECTS[part].map((project) => `--project=${project}`);
  const first = runVitest(projects);
  const files = new Set(first.failures.map(({ file }) => file));
  if (part === "soak" || files.size === 0 || files.size > MAX_REPEATED) return { ...first, isChecked, unsteady: [] };
  const again = runVitest([...projects, "--maxWorkers=1", ...files]);
  const failed = again.failed;
  const passed = first.passed + first.failed - failed;
  return {
    ...again,
    passed,
    failed,
    skipped: first.skipped,
    isChecked,
    unsteady: again.isPassed ? first.failures : [],
  };
}
